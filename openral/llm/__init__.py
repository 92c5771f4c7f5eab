"""Language models: one forced, typed tool call per request, whatever the provider."""
