"""The pages and the interface of an event over HTTP."""
