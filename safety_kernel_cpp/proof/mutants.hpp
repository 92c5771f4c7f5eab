// What schemata.py makes of the core's operators: one of them is another while its mutant is on.
#pragma once

#include <algorithm>
#include <type_traits>

namespace mut {

inline constexpr int kMost = 1 << 16;
// The mutant that is on, from the environment's MUTANT; 0 = none.
extern const int active;
// Which places were reached since somebody cleared them.
extern unsigned char reached[kMost];
// Which places have no mutant after all, from the start of the program on.
extern unsigned char absent[kMost];
template <int N>
struct Absent {
  static inline const bool kNoted = (absent[N] = 1, true);
};

inline bool on(int number) {
  reached[number] = 1;
  return number == active;
}

template <int N, typename A, typename B>
bool less(const A& a, const B& b) {
  return on(N) ? a <= b : a < b;
}
template <int N, typename A, typename B>
bool less_equal(const A& a, const B& b) {
  return on(N) ? a < b : a <= b;
}
template <int N, typename A, typename B>
bool greater(const A& a, const B& b) {
  return on(N) ? a >= b : a > b;
}
template <int N, typename A, typename B>
bool greater_equal(const A& a, const B& b) {
  return on(N) ? a > b : a >= b;
}
template <int N, typename A, typename B>
bool equal(const A& a, const B& b) {
  return on(N) ? !(a == b) : a == b;
}
template <int N, typename A, typename B>
bool unequal(const A& a, const B& b) {
  return on(N) ? !(a != b) : a != b;
}

// Of numbers only: texts are joined by `+` and iterators moved.
template <typename A, typename B>
inline constexpr bool kNumbers = std::is_arithmetic_v<A> && std::is_arithmetic_v<B>;

template <int N, typename A, typename B>
auto plus(const A& a, const B& b) -> decltype(a + b) {
  if constexpr (kNumbers<A, B>) {
    return on(N) ? a - b : a + b;
  } else {
    (void)&Absent<N>::kNoted;
    return a + b;
  }
}
template <int N, typename A, typename B>
auto minus(const A& a, const B& b) -> decltype(a - b) {
  if constexpr (kNumbers<A, B>) {
    return on(N) ? a + b : a - b;
  } else {
    (void)&Absent<N>::kNoted;
    return a - b;
  }
}
template <int N, typename A, typename B>
auto times(const A& a, const B& b) -> decltype(a * b) {
  if constexpr (kNumbers<A, B>) {
    return on(N) ? a / b : a * b;
  } else {
    (void)&Absent<N>::kNoted;
    return a * b;
  }
}
template <int N, typename A, typename B>
auto over(const A& a, const B& b) -> decltype(a / b) {
  if constexpr (kNumbers<A, B>) {
    return on(N) ? a * b : a / b;
  } else {
    (void)&Absent<N>::kNoted;
    return a / b;
  }
}

template <int N, typename A, typename B>
bool both(A&& a, B&& b) {
  return on(N) ? a() || b() : a() && b();
}
template <int N, typename A, typename B>
bool either(A&& a, B&& b) {
  return on(N) ? a() && b() : a() || b();
}
template <int N, typename A>
bool negation(const A& a) {
  return on(N) ? static_cast<bool>(a) : !a;
}
template <int N>
bool flag(bool value) {
  return on(N) ? !value : value;
}
// One more; of a small number, ten times as much.
template <int N, typename A>
A number(A value) {
  if (!on(N)) return value;
  return value != A{} && value < static_cast<A>(0.001) ? value * 10 : value + 1;
}
template <int N>
bool check(bool met) {
  return on(N) ? false : met;
}

}  // namespace mut
