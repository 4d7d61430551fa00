"""Results as text, as JSON and as pages. Nothing here finds a value: it shows those found."""
