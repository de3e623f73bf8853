"""A producer or consumer of a pipeline with its state."""

from __future__ import annotations

from typing import Any

from .._values.numeric import Boolean, Int32
from ._states import PipelineState


class _Participant:
    """A side of a pipeline with its state, which loops carry."""

    class ImmutableResourceHandle:
        """A stage that was acquired or waited for."""

        def __init__(self, origin: Any, state: PipelineState):
            self._origin = origin
            self._state = state

        @property
        def index(self) -> Int32:
            return self._state.index

        @property
        def count(self) -> Int32:
            return self._state.count

        def get_barrier(self, *, loc: Any = None, ip: Any = None) -> Any:
            return self._origin.producer_get_barrier(self._state)

        @property
        def barrier(self) -> Any:
            return self.get_barrier()

        def __extract_mlir_values__(self) -> list[Any]:
            return self._state.__extract_mlir_values__()

        def __new_from_mlir_values__(self, values: list[Any]) -> Any:
            return type(self)(self._origin, self._state.__new_from_mlir_values__(values))

    def __init__(self, pipeline: Any, state: PipelineState):
        self._pipeline = pipeline
        self._state = state

    def clone(self, *, loc: Any = None, ip: Any = None) -> Any:
        return type(self)(self._pipeline, self._state.clone())

    def advance(self, **_: Any) -> None:
        self._state.advance()

    def reset(self, **_: Any) -> None:
        """Counts from 0 again; the next stage is the same."""
        self._state.reset_count()

    def reset_count(self, *, loc: Any = None, ip: Any = None) -> None:
        self._state.reset_count()

    def __extract_mlir_values__(self) -> list[Any]:
        return self._state.__extract_mlir_values__()

    def __new_from_mlir_values__(self, values: list[Any]) -> Any:
        return type(self)(self._pipeline, self._state.__new_from_mlir_values__(values))


class PipelineProducer(_Participant):
    """The producer of a pipeline with its state."""

    class ImmutableResourceHandle(_Participant.ImmutableResourceHandle):
        """A stage to fill."""

        def commit(self, **_: Any) -> None:
            """Signals that the stage is full."""
            self._origin.producer_commit(self._state)

    __state = property(lambda self: self._state)  # by this name to some public kernels

    def current_handle(self, **_: Any) -> Any:
        """Returns the handle of the current stage, which nothing waits for."""
        return self.ImmutableResourceHandle(self._pipeline, self._state.clone())

    def acquire(self, try_acquire_token: Any = None, **_: Any) -> Any:
        """Waits for an empty stage."""
        self._pipeline.producer_acquire(self._state, try_acquire_token)
        return self.ImmutableResourceHandle(self._pipeline, self._state.clone())

    def acquire_and_advance(self, try_acquire_token: Any = None, **_: Any) -> Any:
        """Waits for an empty stage, and advances to the next."""
        handle = self.acquire(try_acquire_token)
        self.advance()
        return handle

    def try_acquire(self, **_: Any) -> Boolean:
        return self._pipeline.producer_try_acquire(self._state)

    def commit(self, handle: Any = None, **_: Any) -> None:
        """Signals that a stage is full: the handle's, or the next one."""
        if handle is not None:
            handle.commit()
        else:
            self._pipeline.producer_commit(self._state)

    def tail(self, **_: Any) -> None:
        """Waits until all stages are empty."""
        self._pipeline.producer_tail(self._state)


class PipelineConsumer(_Participant):
    """The consumer of a pipeline with its state."""

    class ImmutableResourceHandle(_Participant.ImmutableResourceHandle):
        """A stage to empty."""

        def release(self, **_: Any) -> None:
            """Signals that the stage is empty."""
            self._origin.consumer_release(self._state)

    __state = property(lambda self: self._state)
    current_handle = PipelineProducer.current_handle

    def wait(self, try_wait_token: Any = None, **_: Any) -> Any:
        """Waits for a full stage."""
        self._pipeline.consumer_wait(self._state, try_wait_token)
        return self.ImmutableResourceHandle(self._pipeline, self._state.clone())

    def wait_and_advance(self, try_wait_token: Any = None, **_: Any) -> Any:
        """Waits for a full stage, and advances to the next."""
        handle = self.wait(try_wait_token)
        self.advance()
        return handle

    def try_wait(self, **_: Any) -> Boolean:
        return self._pipeline.consumer_try_wait(self._state)

    def release(self, handle: Any = None, **_: Any) -> None:
        """Signals that a stage is empty: the handle's, or the next one."""
        if handle is not None:
            handle.release()
        else:
            self._pipeline.consumer_release(self._state)


class PipelineEmpty:
    """A pipeline in which nobody waits, in place of one that a program needs only at times."""

    @classmethod
    def create(cls, *_: Any, **__: Any) -> Any:
        """Returns one, whatever the arguments."""
        return cls()

    def producer_acquire(self, *_: Any, **__: Any) -> None:
        """Does nothing, as the other functions."""

    producer_try_acquire = producer_commit = producer_acquire
    consumer_wait = consumer_try_wait = consumer_release = producer_acquire
