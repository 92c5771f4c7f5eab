# Run in place of the laws where they could not be built.
message(FATAL_ERROR "The laws are not built: install RapidCheck (librapidcheck-dev on Debian and "
  "Ubuntu, or tools/setup --tests), then colcon build --cmake-force-configure.")
