"""Results as text and as JSON. Nothing here finds a value: it shows those that were found."""
