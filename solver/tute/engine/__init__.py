"""The compiled searches: packed states, no Python objects inside, the caller owns the table."""
