from errata.task.definition import Task as Task
from errata.task.definition import read_task as read_task
