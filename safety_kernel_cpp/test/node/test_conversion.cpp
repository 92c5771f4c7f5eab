// Messages to the core and back: no field is left behind, and none is read beyond what came.
#include "../../src/conversion.hpp"

#include <memory>

#include "../duo.hpp"

namespace openral::safety {
namespace {

openral_msgs::msg::ActionChunk message() {
  openral_msgs::msg::ActionChunk message;
  message.observation_stamp.sec = 7;
  message.observation_stamp.nanosec = 5;
  message.skill_id = "reach";
  message.robot = "duo";
  message.configuration_hash = 0xf000000000000001ULL;
  message.epoch = 11;
  message.sequence = 12;
  message.control_mode = 4;
  message.dt = 0.02;
  message.joint_names = {"shoulder", "elbow"};
  message.horizon = 2;
  message.rows = {1, 2, 3, 4};
  message.timeline = 13;
  message.first_row = 14;
  message.last = true;
  message.trace_id = "t";
  return message;
}

TEST(Conversion, AChunkArrivesWhole) {
  const auto chunk = std::make_unique<Chunk>();
  read_chunk(message(), 99, *chunk);
  EXPECT_EQ(99, chunk->received);
  EXPECT_EQ(7'000'000'005, chunk->observation_stamp);
  EXPECT_EQ("reach", chunk->skill_id.view());
  EXPECT_EQ("duo", chunk->robot.view());
  EXPECT_EQ(0xf000000000000001ULL, chunk->configuration_hash);
  EXPECT_EQ(11u, chunk->epoch);
  EXPECT_EQ(12u, chunk->sequence);
  EXPECT_EQ(4, chunk->control_mode);
  EXPECT_EQ(0.02, chunk->dt);
  EXPECT_EQ(2u, chunk->name_count);
  EXPECT_EQ("elbow", chunk->joint_names[1].view());
  EXPECT_EQ(2u, chunk->horizon);
  EXPECT_EQ(4u, chunk->value_count);
  EXPECT_EQ(4, chunk->values[3]);
  EXPECT_EQ(13u, chunk->timeline);
  EXPECT_EQ(14u, chunk->first_row);
  EXPECT_TRUE(chunk->last);
  EXPECT_EQ("t", chunk->trace_id.view());
}

TEST(Conversion, TheStatusNamesTheConfiguration) {
  Configuration configuration = duo::configuration();
  openral_msgs::msg::KernelStatus status;
  write_status(Status{}, configuration, {}, 0, 0, status);
  EXPECT_EQ(configuration.hash, status.configuration_hash);
  EXPECT_FALSE(status.recovery);
}

}  // namespace
}  // namespace openral::safety
