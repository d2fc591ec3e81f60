"""Word links between source and target, and everything that makes or mends them."""
