// Behaviour 3, the mode joint_velocity.
#include "velocity_rows.hpp"

#include <cmath>

#include "bench.hpp"

namespace openral::safety {
namespace {

RawConfiguration raw() {
  RawConfiguration raw = duo::raw();
  raw.lists["robot.modes"] = {"joint_position", "joint_velocity", "gripper_position"};
  return raw;
}

// The shoulder's speed [rad/s], one a row.
std::unique_ptr<Chunk> velocities(const std::vector<double>& shoulder) {
  duo::Rows rows;
  for (const double speed : shoulder) rows.push_back({speed, 0, 0});
  auto chunk = duo::chunk(rows);
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kJointVelocity);
  return chunk;
}

std::vector<double> ended(std::vector<double> speeds) {
  speeds.push_back(0);
  return speeds;
}

TEST(VelocityRows, IntegratesFromTheStart) {
  const Configuration configuration = duo::configuration(raw());
  const Columns columns = columns_of(configuration, ControlMode::kJointVelocity);
  auto chunk = velocities({0.2, 0.4, 0});
  chunk->values[4] = -0.1;  // the elbow in row 1
  const auto positions = std::make_unique<Chunk>();
  integrate(*chunk, columns, {1, 0.5, 0.04}, *positions);
  EXPECT_EQ(1, positions->at(0, 3, 0));
  EXPECT_NEAR(1.004, positions->at(1, 3, 0), 1e-12);
  EXPECT_NEAR(1.012, positions->at(2, 3, 0), 1e-12);
  EXPECT_EQ(0.5, positions->at(1, 3, 1));
  EXPECT_NEAR(0.498, positions->at(2, 3, 1), 1e-12);
  EXPECT_EQ(0.04, positions->at(2, 3, 2));
  EXPECT_EQ(3u, positions->horizon);
}

TEST(VelocityRows, NothingIsWrittenBehindTheLastRow) {
  const Configuration configuration = duo::configuration(raw());
  const auto positions = std::make_unique<Chunk>();
  positions->values[9] = 7;
  integrate(*velocities({0.2, 0.4, 0}), columns_of(configuration, ControlMode::kJointVelocity), {},
            *positions);
  EXPECT_EQ(7, positions->values[9]);
}

// A rate that is computed may miss its limit by a billionth of it.
TEST(VelocityRows, ALimitIsExceededFromABillionthOn) {
  const Configuration configuration = duo::configuration(raw());
  const Columns columns = columns_of(configuration, ControlMode::kJointVelocity);
  EXPECT_TRUE(check_velocities(configuration, *velocities({1 + 0.5e-9, 0}), columns).ok());
  EXPECT_FALSE(check_velocities(configuration, *velocities({1 + 2e-9, 0}), columns).ok());
}

TEST(VelocityRows, BoundsEveryRow) {
  const Configuration configuration = duo::configuration(raw());
  const Columns columns = columns_of(configuration, ControlMode::kJointVelocity);
  auto chunk = velocities({0.2, 0.4, 1.01, 0});
  Finding finding = check_velocities(configuration, *chunk, columns);
  EXPECT_EQ(Reason::kVelocityLimit, finding.reason);
  EXPECT_EQ(2, finding.row);
  EXPECT_EQ(1.01, finding.value);
  EXPECT_EQ(1, finding.limit);
  chunk->values[6] = std::nan("");
  EXPECT_EQ(Reason::kNotFinite, check_velocities(configuration, *chunk, columns).reason);
  // The row that a window ends with is played only by the next one, and bounded already.
  chunk = velocities({0.2, -1.01});
  chunk->last = false;
  EXPECT_EQ(1, check_velocities(configuration, *chunk, columns).row);
  chunk = velocities({1.01, 0.2, 0});
  EXPECT_EQ(0, check_velocities(configuration, *chunk, columns).row);
  chunk = velocities({0.2, 0.2});
  finding = check_velocities(configuration, *chunk, columns);
  EXPECT_EQ(Reason::kEndNotAtRest, finding.reason);
  EXPECT_EQ(0.2, finding.value);
  EXPECT_EQ(0, finding.limit);
  chunk->last = false;
  EXPECT_TRUE(check_velocities(configuration, *chunk, columns).ok());
}

TEST(VelocityRows, TheKernelPlaysThemAsTheSamePositions) {
  duo::Bench by_velocity(raw());
  duo::Bench by_position(raw());
  by_velocity.start();
  by_position.start();
  const auto speeds = duo::trapezoid(3, 4);
  auto velocity = velocities(ended(speeds));
  auto position = duo::chunk(duo::shoulder_rows(speeds));
  by_velocity.play(*velocity, 60);
  by_position.play(*position, 60);
  ASSERT_EQ(by_position.emitted.size(), by_velocity.emitted.size());
  for (std::size_t i = 0; i < by_position.emitted.size(); ++i) {
    EXPECT_NEAR(by_position.emitted[i].position[0], by_velocity.emitted[i].position[0], 1e-12);
  }
  EXPECT_EQ(State::kHolding, by_velocity.state());
  EXPECT_NEAR(position->at(position->horizon - 1, 3, 0), by_velocity.last.position[0], 1e-12);
}

TEST(VelocityRows, ALaterWindowContinuesFromTheIntegratedPosition) {
  duo::Bench bench(raw());
  bench.start();
  const auto speeds = ended(duo::trapezoid(3, 12));
  auto chunk = velocities({speeds.begin(), speeds.begin() + 8});
  chunk->last = false;
  bench.send(*chunk);
  bench.ticks(15);  // 16 ticks played, four rows
  auto rest = velocities({speeds.begin() + 3, speeds.end()});
  rest->first_row = 3;
  bench.play(*rest, 80);
  EXPECT_EQ(0u, bench.status().stops);
  EXPECT_EQ(State::kHolding, bench.state());
  double sum = 0;
  for (const double speed : speeds) sum += speed * duo::kDt;
  EXPECT_NEAR(sum, bench.last.position[0], 1e-12);
}

TEST(VelocityRows, AWindowFromBeforeTheOneInForceHasNoPosition) {
  duo::Bench bench(raw());
  bench.start();
  const auto speeds = ended(duo::trapezoid(3, 12));
  auto chunk = velocities({speeds.begin(), speeds.begin() + 10});
  chunk->last = false;
  bench.send(*chunk);
  bench.ticks(15);
  auto next = velocities({speeds.begin() + 3, speeds.end()});
  next->first_row = 3;
  bench.send(*next);
  chunk = velocities({speeds.begin() + 2, speeds.end()});
  chunk->first_row = 2;
  bench.send(*chunk);
  EXPECT_EQ("first_row", bench.reason_text());
  EXPECT_EQ(0, bench.status().finding.row);
  EXPECT_EQ(2, bench.status().finding.value);
  EXPECT_EQ(3, bench.status().finding.limit);
  EXPECT_EQ(State::kActive, bench.state());
}

// The positions that the velocities lead to have every check of a position chunk: 1.98 + 0.02 is
// the shoulder's limit, and a stop needs room before it.
TEST(VelocityRows, IntegratedPositionsLeaveRoomToStop) {
  duo::Bench bench(raw());
  bench.measured.position = {1.9, 0, 0.04};
  bench.start();
  auto chunk = velocities(ended(duo::trapezoid(3, 4)));
  bench.send(*chunk);
  EXPECT_EQ("viability", bench.reason_text());
  EXPECT_EQ(State::kHolding, bench.state());
  chunk = velocities(ended({0.2, 0.5, 0.3, 0.1}));  // 15 rad/s^2
  bench.send(*chunk);
  EXPECT_EQ("acceleration_limit", bench.reason_text());
}

}  // namespace
}  // namespace openral::safety
