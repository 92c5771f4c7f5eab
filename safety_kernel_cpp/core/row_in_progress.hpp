// Which row of a timeline is played, and whether it has been played for its whole time.
//
// A motion that is planned anew within a row is still in it: row 0 of the new timeline is then the
// rest of that row, so that what both change adds up.
#pragma once

namespace openral::safety {

// [rows] A sum of ticks may miss a row's end by its rounding.
inline constexpr double kPhaseRounding = 1e-6;

class RowInProgress {
 public:
  // A new timeline begins: out of the motion before it, or from rest.
  void start(bool in_motion) { number_ = in_motion && lasts() ? 0 : kNone; }
  // One tick more was played, of row `number`, which lasts `dt`. True where the row is another one.
  bool play(double number, double dt, double tick_seconds) {
    const bool other = number != number_;
    if (other) {
      number_ = number;
      dt_ = dt;
      played_ = 0;
    }
    played_ += tick_seconds;
    return other;
  }
  [[nodiscard]] bool lasts() const { return played_ < dt_ * (1 - kPhaseRounding); }

 private:
  static constexpr double kNone = -1;

  double number_ = kNone;
  double dt_ = 0;      // [s]
  double played_ = 0;  // [s]
};

}  // namespace openral::safety
