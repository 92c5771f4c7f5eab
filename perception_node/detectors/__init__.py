"""Detectors: one protocol, and the implementations that a node can be given by name."""
