"""AutoPRF (Hardmeier & Federico 2010): clipped precision and recall. Not yet in this version."""
