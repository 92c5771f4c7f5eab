"""The reasoner: supervises by one typed tool call per tick, and moves nothing itself."""
