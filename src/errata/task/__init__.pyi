from errata.task.definition import Task as Task
from errata.task.definition import read_task as read_task
from errata.task.running import Rejected as Rejected
from errata.task.running import TaskResult as TaskResult
from errata.task.running import run_task as run_task
from errata.task.tables import TaskTable as TaskTable
