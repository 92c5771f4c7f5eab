"""Runs rSkills: the policies that move the robot, and the reward monitor that watches them."""
