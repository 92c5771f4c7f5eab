"""Brings ROS 2 Jazzy, as wheels, to a Debian or Ubuntu machine that has no ROS."""
