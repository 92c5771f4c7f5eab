#include "duo.hpp"

namespace openral::safety::duo {

Configuration configuration(const RawConfiguration& values) {
  Configuration configuration;
  const auto error = configure(values, configuration);
  EXPECT_FALSE(error.has_value()) << error->text();
  return configuration;
}

ConfigurationError error_of(const RawConfiguration& values) {
  Configuration configuration;
  const auto error = configure(values, configuration);
  EXPECT_TRUE(error.has_value());
  return error.value_or(ConfigurationError{});
}

void expect_needed_in_range(const RawConfiguration& good, const std::string& name,
                            const std::vector<double>& bad) {
  RawConfiguration raw = good;
  raw.numbers.erase(name);
  EXPECT_EQ(name, error_of(raw).field);
  EXPECT_EQ("missing", error_of(raw).value);
  for (const double value : bad) {
    raw.numbers[name] = value;
    EXPECT_EQ(name, error_of(raw).field) << value;
  }
}

std::unique_ptr<Chunk> chunk(const Rows& rows) {
  auto chunk = std::make_unique<Chunk>();
  chunk->robot.assign("duo");
  chunk->skill_id.assign("reach");
  chunk->epoch = 1;
  chunk->sequence = 1;
  chunk->timeline = 1;
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kJointPosition);
  chunk->last = true;
  chunk->dt = kDt;
  chunk->horizon = rows.size();
  chunk->name_count = 3;
  chunk->joint_names[0].assign("shoulder");
  chunk->joint_names[1].assign("elbow");
  chunk->joint_names[2].assign("finger");
  for (const auto& row : rows) {
    for (const double value : row) chunk->values[chunk->value_count++] = value;
  }
  return chunk;
}

std::unique_ptr<Chunk> gripper(const std::vector<double>& positions) {
  Rows rows;
  for (const double position : positions) rows.push_back({position});
  auto chunk = duo::chunk(rows);
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kGripperPosition);
  chunk->name_count = 1;
  chunk->joint_names[0].assign("finger");
  return chunk;
}

std::unique_ptr<Chunk> twists(const Rows& rows) {
  auto chunk = duo::chunk(rows);
  chunk->control_mode = static_cast<std::uint8_t>(ControlMode::kBodyTwist);
  chunk->name_count = 0;
  return chunk;
}

Rows shoulder_rows(const std::vector<double>& speeds, double start, double elbow, double finger) {
  Rows rows = {{start, elbow, finger}};
  for (const double speed : speeds) {
    start += speed * kDt;
    rows.push_back({start, elbow, finger});
  }
  return rows;
}

std::vector<double> trapezoid(int steps, int cruise) {
  std::vector<double> speeds;
  for (int i = 1; i <= steps; ++i) speeds.push_back(0.2 * i);
  for (int i = 0; i < cruise; ++i) speeds.push_back(0.2 * steps);
  for (int i = steps; i >= 1; --i) speeds.push_back(0.2 * i);
  return speeds;
}

std::unique_ptr<Chunk> reach(double start) { return chunk(shoulder_rows(trapezoid(3, 9), start)); }

std::unique_ptr<Chunk> long_reach() { return chunk(shoulder_rows(trapezoid(3, 44))); }

void expect_finding(const Finding& finding, Reason reason, int row, int joint, double value,
                    double limit) {
  EXPECT_EQ(reason_name(reason), reason_name(finding.reason));
  EXPECT_EQ(row, finding.row);
  EXPECT_EQ(joint, finding.joint);
  EXPECT_EQ(value, finding.value);
  EXPECT_EQ(limit, finding.limit);
}

}  // namespace openral::safety::duo
