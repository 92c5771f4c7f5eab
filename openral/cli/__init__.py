"""The `openral` command: start and stop the system, talk to it, watch it, and the demo."""
