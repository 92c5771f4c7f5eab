"""Names what the cameras see: detectors, stable ids, answers to "is it in view?"."""
