"""The reasoner: an event-driven supervisor that makes one typed tool call per tick and moves nothing itself."""
