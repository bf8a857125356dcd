"""Discord: threads and forum posts as documents."""
