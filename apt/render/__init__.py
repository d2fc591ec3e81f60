"""Results as text for people, and as JSON and TSV for programs. Rendering is a function of the result."""
