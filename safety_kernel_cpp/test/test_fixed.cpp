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
