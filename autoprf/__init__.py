"""AutoPRF (Hardmeier & Federico 2010): clipped precision and recall of pronoun translations."""
