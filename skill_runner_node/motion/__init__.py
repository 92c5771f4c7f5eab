"""Motions of the arm within its limits: how fast along a path, and how to stop."""
