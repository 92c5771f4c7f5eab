// Messages to the core and back: no field is left behind, and none is read beyond what came.
#include "../../src/conversion.hpp"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

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

openral_msgs::msg::CollisionBody body_message(const std::string& name) {
  openral_msgs::msg::CollisionBody body;
  body.name = name;
  body.shape = openral_msgs::msg::CollisionBody::CAPSULE;
  body.pose.position.x = 1;
  body.pose.position.y = 2;
  body.pose.position.z = 3;
  body.pose.orientation.x = 0.1;
  body.pose.orientation.y = 0.2;
  body.pose.orientation.z = 0.3;
  body.pose.orientation.w = 0.4;
  body.size = {4, 5, 6};
  return body;
}

void expect_body(const std::string& name, const WorldBody& body) {
  EXPECT_EQ(name, body.name.view());
  EXPECT_EQ(kWorldCapsule, body.shape);
  EXPECT_EQ((Vector3{1, 2, 3}), body.position);
  EXPECT_EQ((std::array<double, 4>{0.1, 0.2, 0.3, 0.4}), body.orientation);
  EXPECT_EQ((Vector3{4, 5, 6}), body.size);
}

TEST(Conversion, AWorldArrivesWhole) {
  openral_msgs::msg::CollisionWorld message;
  message.header.stamp.sec = 7;
  message.header.stamp.nanosec = 5;
  message.header.frame_id = "panda_link0";
  message.bodies.push_back(body_message("crate"));
  message.bodies.push_back(body_message("bin"));
  message.payload.push_back(body_message("milk"));
  message.payload_may_touch.push_back("bin");
  const auto world = std::make_unique<CollisionWorld>();
  read_world(message, 99, *world);
  EXPECT_EQ(99, world->received);
  EXPECT_EQ(7'000'000'005, world->stamp);
  EXPECT_EQ("panda_link0", world->frame.view());
  ASSERT_EQ(2u, world->body_count);
  expect_body("crate", world->bodies[0]);
  expect_body("bin", world->bodies[1]);
  ASSERT_EQ(1u, world->payload_count);
  expect_body("milk", world->payload[0]);
  ASSERT_EQ(1u, world->touchable_count);
  EXPECT_EQ("bin", world->touchable[0].view());
}

// As many as the message can hold fit into the core.
TEST(Conversion, TheCoreHasRoomForEveryWorldMessage) {
  const openral_msgs::msg::CollisionWorld message;
  EXPECT_EQ(kMaxWorldBodies, message.bodies.max_size());
  EXPECT_EQ(kMaxPayloadBodies, message.payload.max_size());
  EXPECT_EQ(kMaxTouchable, message.payload_may_touch.max_size());
  EXPECT_EQ(kMaxWorldBodies, openral_msgs::msg::CollisionWorld::MAX_BODIES);
  EXPECT_EQ(kMaxPayloadBodies, openral_msgs::msg::CollisionWorld::MAX_PAYLOAD);
  EXPECT_EQ(kMaxTouchable, openral_msgs::msg::CollisionWorld::MAX_TOUCHABLE);
  EXPECT_EQ(kWorldBox, openral_msgs::msg::CollisionBody::BOX);
  EXPECT_EQ(kWorldCapsule, openral_msgs::msg::CollisionBody::CAPSULE);
}

TEST(Conversion, ACollisionIsTold) {
  const Configuration configuration = duo::configuration();
  Report report;
  report.finding = {Reason::kCollision, 3, -1, 0.004, 0.01};
  report.finding.body = 1;
  report.finding.other = 4;
  report.bodies.body.assign("hand");
  report.bodies.other.assign("table");
  openral_msgs::msg::FailureTrigger failure;
  write_failure(report, configuration, "safety_kernel", 0, failure);
  EXPECT_EQ("collision", failure.kind);
  EXPECT_EQ("collision, row 3, 'hand' and 'table': got 0.004, allowed 0.01", failure.message);
  EXPECT_NE(std::string::npos, failure.evidence_json.find("\"bodies\": [\"hand\", \"table\"]"));
  Status status;
  status.finding = report.finding;
  status.bodies = report.bodies;
  openral_msgs::msg::KernelStatus message;
  write_status(status, configuration, {}, 0, 0, message);
  EXPECT_EQ("collision", message.reason);
  EXPECT_EQ(failure.message, message.message);
  EXPECT_EQ(3, message.row);
  EXPECT_EQ(0.004, message.value);
  EXPECT_EQ(0.01, message.limit);
}

// Behaviour 29: row, joint, value and limit, in the status as in the failure.
TEST(Conversion, ARefusalTellsItsRowJointValueAndLimit) {
  const Configuration configuration = duo::configuration();
  Report report;
  report.severity = Severity::kWarn;
  report.finding = {Reason::kVelocityLimit, 7, 1, 0.625, 0.5};
  report.sequence = 12;
  report.timeline = 3;
  openral_msgs::msg::FailureTrigger failure;
  write_failure(report, configuration, "safety_kernel", 0, failure);
  EXPECT_EQ("velocity_limit", failure.kind);
  EXPECT_EQ("velocity_limit, row 7, elbow: got 0.625, allowed 0.5", failure.message);
  for (const char* const evidence : {"\"row\": 7", "\"joint\": \"elbow\"", "\"value\": 0.625",
                                     "\"limit\": 0.5", "\"sequence\": 12", "\"timeline\": 3"}) {
    EXPECT_NE(std::string::npos, failure.evidence_json.find(evidence))
        << evidence << " in " << failure.evidence_json;
  }
  Status status;
  status.finding = report.finding;
  openral_msgs::msg::KernelStatus message;
  write_status(status, configuration, {}, 0, 0, message);
  EXPECT_EQ("velocity_limit", message.reason);
  EXPECT_EQ(failure.message, message.message);
  EXPECT_EQ(7, message.row);
  EXPECT_EQ("elbow", message.joint);
  EXPECT_EQ(0.625, message.value);
  EXPECT_EQ(0.5, message.limit);
}

sensor_msgs::msg::JointState joint_state() {
  sensor_msgs::msg::JointState message;
  message.name = {"finger", "elbow", "shoulder"};
  message.position = {0.03, 2, 1};
  message.velocity = {0.003, 0.2, 0.1};
  return message;
}

TEST(Conversion, EffortIsReadWhereItIsMeasured) {
  const Configuration configuration = duo::configuration();
  JointState state;
  auto message = joint_state();
  read_joint_state(message, 99, configuration, state);
  EXPECT_TRUE(state.complete);
  EXPECT_EQ(1, state.position[0]);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_TRUE(std::isnan(state.effort[j]));
  message.effort = {-30, 5, std::nan("")};
  read_joint_state(message, 99, configuration, state);
  EXPECT_TRUE(state.complete);
  EXPECT_EQ(-30, state.effort[2]);
  EXPECT_EQ(5, state.effort[1]);
  EXPECT_TRUE(std::isnan(state.effort[0]));
  // Of which joints would two values of three be?
  message.effort = {1, 2};
  read_joint_state(message, 99, configuration, state);
  EXPECT_FALSE(state.complete);
}

// The thread that reads it hears the e-stop too.
TEST(Conversion, AJointStateOfTooManyNamesIsNotRead) {
  const Configuration configuration = duo::configuration();
  auto message = joint_state();
  const auto of_names = [&](std::size_t count) {
    message.name.resize(count, "another");
    message.position.resize(count);
    message.velocity.resize(count);
    JointState state;
    read_joint_state(message, 99, configuration, state);
    EXPECT_EQ(99, state.received);
    return state.complete;
  };
  EXPECT_TRUE(of_names(64));
  EXPECT_FALSE(of_names(65));
}

TEST(Conversion, ADistanceKeepsItsStamp) {
  sensor_msgs::msg::Range message;
  message.header.stamp.sec = 7;
  message.header.stamp.nanosec = 5;
  message.min_range = 0.1F;
  message.max_range = 8;
  message.range = 2;
  SeparationReading reading;
  read_separation(message, 99, reading);
  EXPECT_EQ(99, reading.received);
  EXPECT_EQ(7'000'000'005, reading.stamp);
  EXPECT_EQ(2, reading.distance);
}

TEST(Conversion, ATwistIsTheBasesOrNamesItsFrame) {
  geometry_msgs::msg::TwistStamped message;
  VelocityCommand command;
  for (const auto& [frame, base] :
       {std::pair("", true), std::pair("base_link", true), std::pair("map", false),
        std::pair("base_link_", false), std::pair("/base_link", false)}) {
    message.header.frame_id = frame;
    read_velocity_command(message, 99, command);
    EXPECT_EQ(base, command.in_base_frame) << frame;
  }
}

TEST(Conversion, AnEStopsNameIsMarkedWhereItIsCut) {
  openral_msgs::msg::EStop message;
  EStopLevel level;
  message.source = std::string(64, 'x');
  read_estop(message, 99, level);
  EXPECT_FALSE(level.source.cut());
  message.source += "y";
  read_estop(message, 99, level);
  EXPECT_TRUE(level.source.cut());
}

TEST(Conversion, ACommandOfEachForm) {
  const Configuration configuration = duo::configuration();
  Command command;
  command.sequence = 5;
  command.epoch = 6;
  command.position = {1, 2, 3, 4, 5, 6, 7, 8};
  command.velocity = {10, 20, 30, 40, 50, 60, 70};
  openral_msgs::msg::MotorCommand message;
  using Values = std::vector<double>;
  const auto write = [&](ControlMode mode) {
    command.mode = mode;
    write_command(command, configuration, 1'000'000'000, message);
    EXPECT_EQ(static_cast<std::uint8_t>(mode), message.control_mode);
    EXPECT_EQ(40, message.gripper_effort_max);
    EXPECT_EQ(6u, message.epoch);
    EXPECT_EQ(1, message.valid_until.sec);
    EXPECT_EQ(15'000'000u, message.valid_until.nanosec);
    EXPECT_EQ(15'000'000u, message.lease.nanosec);
  };
  const auto values = [&] { return Values(message.values.begin(), message.values.end()); };
  const auto velocities = [&] {
    return Values(message.velocities.begin(), message.velocities.end());
  };
  write(ControlMode::kJointPosition);
  EXPECT_EQ((Values{1, 2, 3}), values());
  EXPECT_EQ((Values{10, 20, 30}), velocities());
  EXPECT_EQ(3u, message.joint_names.size());
  write(ControlMode::kJointTorque);
  EXPECT_EQ((Values{1, 2, 3}), values());
  EXPECT_TRUE(velocities().empty());
  EXPECT_EQ("finger", message.joint_names[2]);
  write(ControlMode::kCartesianPose);
  EXPECT_EQ((Values{1, 2, 3, 4, 5, 6, 7}), values());
  EXPECT_EQ((Values{10, 20, 30, 40, 50, 60}), velocities());
  EXPECT_TRUE(message.joint_names.empty());
  write(ControlMode::kBodyTwist);
  EXPECT_EQ((Values{1, 2, 3}), values());
  EXPECT_TRUE(velocities().empty());
  EXPECT_TRUE(message.joint_names.empty());
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
