"""The brains: rules, and language models of two dialects."""
