"""Policies that the skill runner can run."""
