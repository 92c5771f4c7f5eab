#include "../../src/publication_gaps.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace openral::safety {
namespace {

rmw_gid_t writer(std::uint8_t number) {
  rmw_gid_t gid{};
  gid.data[0] = number;
  return gid;
}

TEST(PublicationGaps, NumbersInARowHaveNone) {
  PublicationGaps gaps;
  for (std::uint64_t i = 41; i < 50; ++i) EXPECT_FALSE(gaps.note(writer(1), i, 0));
}

TEST(PublicationGaps, AMissingMessageIsAGapOnce) {
  PublicationGaps gaps;
  EXPECT_FALSE(gaps.note(writer(1), 1, 0));
  EXPECT_FALSE(gaps.note(writer(1), 2, 0));
  EXPECT_TRUE(gaps.note(writer(1), 4, 0));
  EXPECT_FALSE(gaps.note(writer(1), 5, 0));
  // One that was late, or came twice, is none.
  EXPECT_FALSE(gaps.note(writer(1), 3, 0));
  EXPECT_FALSE(gaps.note(writer(1), 5, 0));
  EXPECT_FALSE(gaps.note(writer(1), 6, 0));
}

TEST(PublicationGaps, EachWriterCountsForItself) {
  PublicationGaps gaps;
  EXPECT_FALSE(gaps.note(writer(1), 10, 0));
  EXPECT_FALSE(gaps.note(writer(2), 500, 0));
  EXPECT_FALSE(gaps.note(writer(1), 11, 0));
  EXPECT_TRUE(gaps.note(writer(2), 502, 0));
}

TEST(PublicationGaps, AMiddlewareWithoutNumbersHasNone) {
  PublicationGaps gaps;
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(gaps.note(writer(1), RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED, 0));
  }
  EXPECT_FALSE(gaps.note(writer(1), 1, 0));
}

TEST(PublicationGaps, TheWriterThatWasSilentLongestIsForgotten) {
  PublicationGaps gaps;
  for (std::uint8_t i = 0; i < 32; ++i) EXPECT_FALSE(gaps.note(writer(i), 1, i));
  EXPECT_FALSE(gaps.note(writer(0), 2, 40));
  EXPECT_FALSE(gaps.note(writer(99), 1, 41));  // in the place of 1
  EXPECT_TRUE(gaps.note(writer(0), 4, 42));
  EXPECT_TRUE(gaps.note(writer(2), 3, 43));
  EXPECT_FALSE(gaps.note(writer(1), 9, 44));
}

}  // namespace
}  // namespace openral::safety
