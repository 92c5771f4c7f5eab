"""Picks one object and places it, by geometry: look, estimate, grasp, carry, put down."""
