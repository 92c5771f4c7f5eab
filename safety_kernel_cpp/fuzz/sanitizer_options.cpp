// The address sanitizer as millions of short executions need it: freed memory is kept from reuse,
// but not so much of it that each execution works on cold pages, and allocations are not traced.
// To see where memory of a finding came from: ASAN_OPTIONS=malloc_context_size=30.
extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=1:malloc_context_size=0";
}
