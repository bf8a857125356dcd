"""What goes out to those who watch: spans, traces, and no word more than is said in the README."""
