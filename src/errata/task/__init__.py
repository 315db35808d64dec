"""A shared task in one file: gold, alternative answers, systems, metrics and types, and the tables that come out."""

from errata.task.definition import Task, read_task

__all__ = ["Task", "read_task"]
