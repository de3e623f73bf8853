"""Kernels as tasks: groups of warps that work on resources in the order of a schedule.

A resource is memory with its methods (``producer_work`` writes it, ``consumer_work`` reads it)
and perhaps a pipeline; a schedule says what a task calls, and where it acquires, commits, waits
and releases. ``TaskManager`` checks all schedules together before any code is made.
"""

from . import pipeline
from .enums import Every, IterationPredicate, OpaqueCondition, WorkAttr
from .resources import consumer_work, producer_work
from .schedule_builder import domain_loop, schedule, when_false, when_true, work_tile_loop

__all__ = [
    "Every",
    "IterationPredicate",
    "OpaqueCondition",
    "WorkAttr",
    "consumer_work",
    "domain_loop",
    "pipeline",
    "producer_work",
    "schedule",
    "when_false",
    "when_true",
    "work_tile_loop",
]
