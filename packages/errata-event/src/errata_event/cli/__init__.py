"""The commands of an event."""
