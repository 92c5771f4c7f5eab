#include "fixed.hpp"

#include <gtest/gtest.h>

#include <string>

namespace openral::safety {
namespace {

TEST(FixedString, HoldsATextThatFitsAndMarksALongerOneAsCut) {
  FixedString<4> text;
  EXPECT_TRUE(text.empty());
  EXPECT_FALSE(text.cut());
  EXPECT_EQ("", text.view());
  text.assign("four");
  EXPECT_EQ("four", text.view());
  EXPECT_FALSE(text.cut());
  EXPECT_FALSE(text.empty());
  text.assign("fives");
  EXPECT_EQ("five", text.view());
  EXPECT_TRUE(text.cut());
  text.assign("a");
  EXPECT_EQ("a", text.view());
  EXPECT_FALSE(text.cut());
}

// What was cut may have been anything.
TEST(FixedString, ACutTextEqualsNothing) {
  const FixedString<4> whole(std::string_view("four"));
  const FixedString<4> cut(std::string_view("fours"));
  EXPECT_TRUE(whole == std::string_view("four"));
  EXPECT_FALSE(whole == std::string_view("fou"));
  EXPECT_TRUE(whole == whole);
  EXPECT_FALSE(whole != whole);
  EXPECT_FALSE(cut == std::string_view("four"));
  EXPECT_FALSE(cut == whole);
  EXPECT_FALSE(whole == cut);
  EXPECT_FALSE(cut == cut);
  EXPECT_TRUE(cut != cut);
}

TEST(FixedString, ACopyHoldsTheSameTextOverALongerOne) {
  FixedString<4> text(std::string_view("four"));
  text = FixedString<4>(std::string_view("a"));
  EXPECT_EQ("a", text.view());
  const FixedString<4> copy(text);
  EXPECT_TRUE(copy == text);
  text = FixedString<4>(std::string_view("fives"));
  EXPECT_TRUE(text.cut());
  const FixedString<4> cut(text);
  EXPECT_TRUE(cut.cut());
  EXPECT_EQ("five", cut.view());
  const FixedString<4>& itself = text;
  text = itself;
  EXPECT_EQ("five", text.view());
}

struct Counted {
  Counted() {}
  explicit Counted(int number) : value(number) {}
  Counted(const Counted& other) { *this = other; }
  Counted& operator=(const Counted& other) {
    value = other.value;
    ++copies;
    return *this;
  }
  int value = 0;
  static inline int copies = 0;
};

TEST(FixedVector, CopiesWhatItHoldsAlone) {
  FixedVector<Counted, 8> two;
  ASSERT_TRUE(two.push(Counted(7)));
  ASSERT_TRUE(two.push(Counted(8)));
  Counted::copies = 0;
  const FixedVector<Counted, 8> copy(two);
  EXPECT_EQ(2, Counted::copies);
  ASSERT_EQ(2u, copy.size());
  EXPECT_EQ(7, copy[0].value);
  EXPECT_EQ(8, copy[1].value);
  two = FixedVector<Counted, 8>();
  EXPECT_EQ(2, Counted::copies);
  EXPECT_TRUE(two.empty());
}

TEST(FixedVector, TakesWhatThereIsRoomFor) {
  FixedVector<int, 2> numbers;
  EXPECT_TRUE(numbers.empty());
  EXPECT_FALSE(numbers.full());
  EXPECT_TRUE(numbers.push(7));
  EXPECT_FALSE(numbers.full());
  EXPECT_TRUE(numbers.push(8));
  EXPECT_TRUE(numbers.full());
  EXPECT_FALSE(numbers.push(9));
  EXPECT_EQ(2u, numbers.size());
  int sum = 0;
  for (const int number : numbers) sum += number;
  EXPECT_EQ(15, sum);
  numbers.clear();
  EXPECT_TRUE(numbers.empty());
}

}  // namespace
}  // namespace openral::safety
