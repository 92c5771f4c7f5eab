// The address sanitizer as millions of short executions need it: freed memory is kept from reuse,
// but not so much of it that each execution works on cold pages.
extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=8:malloc_context_size=4";
}
