"""PTX instructions as functions, with the names of ``cutlass.experimental.primitives``.

Memory is an ``Array`` or a pointer; a choice is a member of an enumeration of this module,
its value or its name. The PTX ISA describes each instruction, who executes it and what it
needs, under the name in the function's docstring.
"""

from __future__ import annotations

import inspect
from fnmatch import fnmatchcase
from typing import Any

from .. import arch as _arch
from .._compat.placeholders import Placeholder
from .._compile import ir as _ir
from .._values.numeric import Boolean, Float32, Int32, Int64, as_numeric
from .._values.pointer import AddressSpace, make_ptr
from ..arch import inline_ptx  # noqa: F401
from ..arch import cp_async_bulk_commit_group, cp_async_commit_group  # noqa: F401
from ..arch import cp_async_bulk_wait_group, cp_async_wait_group  # noqa: F401
from .._values.printing import printf as print_runtime  # noqa: F401
from .._mlir.dialects import nvvm as dialect  # noqa: F401
from . import _kinds
from ._accesses import *  # noqa: F403
from ._copies import *  # noqa: F403
from ._fences import *  # noqa: F403
from ._kinds import *  # noqa: F403
from ._kinds import word
from ._numbers import *  # noqa: F403
from ._pack_floats import *  # noqa: F403
from ._products import *  # noqa: F403
from ._tensor_descriptors import *  # noqa: F403
from ._tensor_memory import *  # noqa: F403
from ._tensor_products import *  # noqa: F403
from ._write import ask, place, shared, space, word32, word64, write


def _of(value: Any) -> str:
    return getattr(value, "__module__", "")


def _plain(name: str, text: str, *parameters: str) -> Any:
    """Returns a function whose parameters are words of 32 bits, an instruction's operands."""

    signature = inspect.Signature(
        [inspect.Parameter(p, inspect.Parameter.POSITIONAL_OR_KEYWORD) for p in parameters])
    shown = [inspect.Parameter(p, inspect.Parameter.KEYWORD_ONLY, default=None) for p in ("loc", "ip")]

    def function(*operands: Any, loc: Any = None, ip: Any = None, **named: Any) -> None:
        write(text, *map(word32, signature.bind(*operands, **named).args))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Executes {text.rstrip(';').split(' ')[0]}."
    function.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), *shown])
    return function


# Instructions without results whose operands are words.
_PLAIN = {
    "bar_warp_sync": ("bar.warp.sync {0};", "mask"),
    "barrier_cluster_arrive": ("barrier.cluster.arrive;",),
    "barrier_cluster_arrive_aligned": ("barrier.cluster.arrive.aligned;",),
    "barrier_cluster_arrive_relaxed": ("barrier.cluster.arrive.relaxed;",),
    "barrier_cluster_arrive_relaxed_aligned": ("barrier.cluster.arrive.relaxed.aligned;",),
    "barrier_cluster_wait": ("barrier.cluster.wait;",),
    "barrier_cluster_wait_aligned": ("barrier.cluster.wait.aligned;",),
    "barrier_cta_arrive": ("barrier.cta.arrive {0}, {1};", "barrier_id", "thread_count"),
    "barrier_cta_arrive_aligned": ("bar.cta.arrive {0}, {1};", "barrier_id", "thread_count"),
    "breakpoint": ("brkpt;",),
    "exit": ("exit;",),
    "fence_mbarrier_init": ("fence.mbarrier_init.release.cluster;",),
    "fence_sc_cluster": ("fence.sc.cluster;",),
    "nanosleep": ("nanosleep.u32 {0};", "duration"),
    "wgmma_commit_group_sync_aligned": ("wgmma.commit_group.sync.aligned;",),
    "wgmma_fence_aligned": ("wgmma.fence.sync.aligned;",),
}
globals().update({name: _plain(name, *row) for name, row in _PLAIN.items()})


# ---- Threads: barriers, votes, exchange -------------------------------------


def _cta_sync(name: str, opcode: str) -> Any:
    def barrier_cta_sync(
        barrier_id: Any = 0, *, thread_count: Any = None, loc: Any = None, ip: Any = None
    ) -> None:
        if thread_count is None:
            write(f"{opcode} {{0}};", word32(barrier_id))
        else:
            write(f"{opcode} {{0}}, {{1}};", word32(barrier_id), word32(thread_count))

    barrier_cta_sync.__name__ = name
    barrier_cta_sync.__doc__ = f"Waits for threads of the block at a barrier: {opcode}."
    return barrier_cta_sync


barrier_cta_sync = _cta_sync("barrier_cta_sync", "barrier.cta.sync")
barrier_cta_sync_aligned = _cta_sync("barrier_cta_sync_aligned", "bar.cta.sync")


def barrier(
    *, barrier_id: Any = None, number_of_threads: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """Waits for threads of the block at a barrier, by default for all at barrier 0."""
    _arch.barrier(barrier_id=barrier_id, number_of_threads=number_of_threads)


def barrier_cta_red(
    pred: Any, barrier_id: Any, kind: Any, *, thread_count: Any = None,
    loc: Any = None, ip: Any = None,
) -> Any:
    """Waits at a barrier, and combines a condition of its threads: barrier.cta.red.

    :param kind: BarrierRedux AND or OR, a Boolean; POPC, how many threads it holds in
    """
    bit, operation = Int32(Boolean(pred)), word("BarrierRedux", kind)
    operands, places = [bit, word32(barrier_id)], "{1}, "
    if thread_count is not None:
        operands.append(word32(thread_count))
        places += "{2}, "
    head = ".reg .pred q; setp.ne.u32 q, {0}, 0;"
    if operation == "popc":
        return write(f"{{ {head} barrier.cta.red.popc.u32 $0, {places}q; }}", *operands,
                     results=[Int32])
    return ask(f"{head} barrier.cta.red.{operation}.pred p, {places}q;", *operands)


barrier_cta_red_aligned = barrier_cta_red


def elect_sync(*, membermask: Any = 0xFFFFFFFF, loc: Any = None, ip: Any = None) -> Boolean:
    """Returns whether this is the thread that the mask's threads have elected: elect.sync."""
    if isinstance(membermask, int) and membermask & 0xFFFFFFFF == 0xFFFFFFFF:
        return Boolean(_ir.apply("elect_one"))
    return ask("elect.sync _|p, {0};", word32(membermask))


def shfl_sync(
    thread_mask: Any, val: Any, offset: Any, mask_and_clamp: Any, kind: Any, *,
    return_value_and_is_valid: bool | None = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Returns another lane's number of 32 bits: shfl.sync.

    :param mask_and_clamp: PTX's operand c
    :param return_value_and_is_valid: with it, also whether that lane is in range
    """
    name, number = word("Shfl", kind), as_numeric(val)
    operands = [number, word32(offset), word32(mask_and_clamp), word32(thread_mask)]
    if not return_value_and_is_valid:
        text = f"shfl.sync.{name}.b32 $0, {{0}}, {{1}}, {{2}}, {{3}};"
        return write(text, *operands, results=[number.dtype])
    text = f"shfl.sync.{name}.b32 $0|p, {{0}}, {{1}}, {{2}}, {{3}};"
    text = f"{{ .reg .pred p; {text} selp.u32 $1, 1, 0, p; }}"
    found, valid = write(text, *operands, results=[number.dtype, Int32])
    return found, valid != 0


def vote_sync(mask: Any, pred: Any, kind: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Combines a condition of lanes: vote.sync; of BALLOT a word, else a Boolean."""
    return getattr(_arch, f"vote_{word('VoteSync', kind)}_sync")(pred, mask)


def match_sync(thread_mask: Any, val: Any, kind: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the lanes that have the same number: match.sync; of ALL also whether all have."""
    name, number = word("MatchSync", kind), as_numeric(val)
    operands = [number, word32(thread_mask)]
    if name == "any":
        return write(f"match.any.sync.b{number.width} $0, {{0}}, {{1}};", *operands,
                     results=[Int32])
    text = f"match.all.sync.b{number.width} $0|p, {{0}}, {{1}}; selp.u32 $1, 1, 0, p;"
    lanes, same = write(f"{{ .reg .pred p; {text} }}", *operands, results=[Int32, Int32])
    return lanes, same != 0


def redux_sync(
    val: Any, kind: Any, mask_and_clamp: Any, *, abs: bool | None = None,
    nan: bool | None = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Combines a number of lanes: redux.sync, of integers of 32 bits, or FMIN and FMAX."""
    number, name = as_numeric(val), word("ReductionKind", kind)
    suffix = "b32" if name in ("and", "or", "xor") else "s32" if number.dtype.signed else "u32"
    if name.startswith("u"):
        suffix, name = "u32", name[1:]
    if number.dtype is Float32:
        suffix, name = "f32", name.removeprefix("f")
        name += ".abs" * bool(abs) + ".NaN" * bool(nan)
    text = f"redux.sync.{name}.{suffix} $0, {{0}}, {{1}};"
    return write(text, number, word32(mask_and_clamp), results=[number.dtype])


def setmaxregister(reg_count: int, action: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Changes the number of registers of each thread of the warpgroup: setmaxnreg."""
    getattr(_arch, f"setmaxregister_{word('SetMaxRegisterAction', action)}")(reg_count)


def griddepcontrol(kind: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Waits for the grids before this one, or lets later grids begin: griddepcontrol."""
    getattr(_arch, f"griddepcontrol_{word('GridDepAction', kind)}")()


def cluster_ctarank(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the number of the block in its cluster."""
    return write("mov.u32 $0, %cluster_ctarank;", results=[Int32])


def mapa(
    addr: Any, cta_rank: Any, *, addrspace: int = 7, loc: Any = None, ip: Any = None
) -> Any:
    """Returns the pointer to the same shared memory of another block of the cluster: mapa."""
    return _arch.map_dsmem_ptr(shared(addr), cta_rank)


# ---- Barriers in shared memory ----------------------------------------------


def _ordered(sem: str, scope: Any, relaxed: Any = None) -> str:
    """Returns the order and scope of an operation on a barrier, "" where none is given."""
    if scope is None and not relaxed:
        return ""
    return f".{'relaxed' if relaxed else sem}.{word('MemScope', scope or 'cta')}"


def mbarrier_init(addr: Any, count: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Makes a barrier that waits for ``count`` arrivals: mbarrier.init."""
    write("mbarrier.init.shared::cta.b64 [{0}], {1};", shared(addr), word32(count))


def mbarrier_inval(addr: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Invalidates a barrier, whose memory is then free: mbarrier.inval."""
    write("mbarrier.inval.shared::cta.b64 [{0}];", shared(addr))


def _arrives(name: str, opcode: str, has_operand: bool) -> Any:
    def arrive(addr: Any, value: Any, scope: Any, relaxed: Any) -> Any:
        pointer = shared(addr, cluster=True)
        is_near = pointer.memspace is AddressSpace.smem
        sem = _ordered("release", scope if is_near else scope or "cluster", relaxed)
        text = f"{opcode}{sem}{space(pointer)}.b64 {'$0' if is_near else '_'}, [{{0}}]"
        operands = [pointer] if value is None else [pointer, word32(value)]
        text += ";" if value is None else ", {1};"
        return write(text, *operands, results=[Int64] if is_near else [])

    if has_operand:

        def function(
            addr: Any, txcount: Any, *, scope: Any = None, relaxed: Any = None,
            loc: Any = None, ip: Any = None,
        ) -> Any:
            return arrive(addr, txcount, scope, relaxed)

    else:

        def function(
            addr: Any, *, count: Any = None, scope: Any = None, relaxed: Any = None,
            loc: Any = None, ip: Any = None,
        ) -> Any:
            return arrive(addr, count, scope, relaxed)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Arrives at a barrier: {opcode}; returns its state, an Int64, unless it is "
        "another block's."
    )
    return function


mbarrier_arrive = _arrives("mbarrier_arrive", "mbarrier.arrive", False)
mbarrier_arrive_drop = _arrives("mbarrier_arrive_drop", "mbarrier.arrive_drop", False)
mbarrier_arrive_expect_tx = _arrives(
    "mbarrier_arrive_expect_tx", "mbarrier.arrive.expect_tx", True)
mbarrier_arrive_drop_expect_tx = _arrives(
    "mbarrier_arrive_drop_expect_tx", "mbarrier.arrive_drop.expect_tx", True)


def _nocomplete(name: str, opcode: str) -> Any:
    def function(addr: Any, count: Any, *, loc: Any = None, ip: Any = None) -> Int64:
        text = f"{opcode}.noComplete.shared::cta.b64 $0, [{{0}}], {{1}};"
        return write(text, shared(addr), word32(count), results=[Int64])

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Arrives at a barrier without completing its phase: {opcode}.noComplete.\n\n"
        ":param count: the arrivals, fewer than are pending\n:return: the barrier's state"
    )
    return function


mbarrier_arrive_nocomplete = _nocomplete("mbarrier_arrive_nocomplete", "mbarrier.arrive")
mbarrier_arrive_drop_nocomplete = _nocomplete(
    "mbarrier_arrive_drop_nocomplete", "mbarrier.arrive_drop")


def _transactions(name: str, opcode: str) -> Any:
    def function(
        addr: Any, txcount: Any, *, scope: Any = None, loc: Any = None, ip: Any = None
    ) -> None:
        pointer = shared(addr, cluster=True)
        order = f".relaxed.{word('MemScope', scope or 'cta')}"
        write(f"{opcode}{order}{space(pointer)}.b64 [{{0}}], {{1}};", pointer, word32(txcount))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Changes the bytes that a barrier waits for: {opcode}."
    return function


mbarrier_expect_tx = _transactions("mbarrier_expect_tx", "mbarrier.expect_tx")
mbarrier_complete_tx = _transactions("mbarrier_complete_tx", "mbarrier.complete_tx")


def _waits(
    addr: Any, value: Any, kind: str, parity: bool, ticks: Any, scope: Any, order: Any
) -> Boolean:
    """Asks for the phase of a parity, or after a state: test_wait or try_wait."""
    sem = word("MemOrder", order or "acquire")
    which = f"{'.parity' if parity else ''}{_ordered(sem, scope, sem == 'relaxed')}"
    operands = [shared(addr), word32(value) if parity else word64(value)]
    limit = ""
    if ticks is not None and kind == "try":
        operands.append(word32(ticks))
        limit = ", {2}"
    return ask(f"mbarrier.{kind}_wait{which}.shared::cta.b64 p, [{{0}}], {{1}}{limit};", *operands)


def mbarrier_try_wait_parity(
    addr: Any, phase: Any, *, time_limit: Any = 10_000_000, scope: Any = None,
    order: Any = None, loc: Any = None, ip: Any = None,
) -> Boolean:
    """Waits for a while, and says whether the phase of a parity is complete.

    :param time_limit: in nanoseconds
    """
    return _waits(addr, phase, "try", True, time_limit, scope, order)


def mbarrier_try_wait_timelimit(
    addr: Any, state: Any, time_limit: Any, *, scope: Any = None, order: Any = None,
    loc: Any = None, ip: Any = None,
) -> Boolean:
    """Waits for a while, and says whether the phase of a state is complete."""
    return _waits(addr, state, "try", False, time_limit, scope, order)


def mbarrier_wait(
    addr: Any, state: Any, kind: Any, *, scope: Any = None, order: Any = None,
    loc: Any = None, ip: Any = None,
) -> Boolean:
    """Returns whether the phase of a state is complete; of MBarrierWait.TRY after a while."""
    return _waits(addr, state, word("MBarrierWait", kind), False, None, scope, order)


def mbarrier_wait_parity(
    addr: Any, phase: Any, kind: Any, *, scope: Any = None, order: Any = None,
    loc: Any = None, ip: Any = None,
) -> Boolean:
    """Returns whether the phase of a parity is complete; of MBarrierWait.TRY after a while."""
    return _waits(addr, phase, word("MBarrierWait", kind), True, None, scope, order)


def _by_operand(
    addr: Any, state_or_phase: Any, kind: str, ticks: Any, scope: Any, relaxed: Any
) -> Boolean:
    parity = as_numeric(state_or_phase).width <= 32
    order = "relaxed" if relaxed else None
    return _waits(addr, state_or_phase, kind, parity, ticks, scope, order)


def mbarrier_test_wait(
    addr: Any, state_or_phase: Any, *, scope: Any = None, relaxed: Any = None,
    loc: Any = None, ip: Any = None,
) -> Boolean:
    """Returns whether the phase of a state, an Int64, or of a parity is complete."""
    return _by_operand(addr, state_or_phase, "test", None, scope, relaxed)


def mbarrier_try_wait(
    addr: Any, state_or_phase: Any, *, ticks: Any = None, scope: Any = None,
    relaxed: Any = None, loc: Any = None, ip: Any = None,
) -> Boolean:
    """Waits for a while, and says whether the phase of a state or parity is complete."""
    return _by_operand(addr, state_or_phase, "try", ticks, scope, relaxed)


# ---- Others -----------------------------------------------------------------


def pmevent(
    event_id: int | None = None, *, mask: int | None = None, loc: Any = None, ip: Any = None
) -> None:
    """Triggers an event of a profiler, or the events of a mask: pmevent.

    :param event_id: 0 to 15
    :param mask: a bit for each of 16 events
    :raises ValueError: unless one of the two is given, in its range

    For example::

        pmevent(3)
    """
    if (event_id is None) == (mask is None):
        raise ValueError("pmevent takes event_id or mask")
    if event_id is not None and not 0 <= event_id < 16:
        raise ValueError(f"event_id is 0 to 15, not {event_id}")
    if mask is not None and not 0 <= mask < 1 << 16:
        raise ValueError(f"mask has 16 bits, unlike {mask}")
    write(f"pmevent.mask {mask};" if event_id is None else f"pmevent {event_id};")


def ptx_add_comment(comment: str, loc: Any = None, ip: Any = None) -> None:
    """Writes a comment of one line into the PTX.

    :raises ValueError: for a comment of several lines
    """
    if "\n" in comment:
        raise ValueError(f"a comment has one line, unlike {comment!r}")
    write(f"// {comment}".replace("{", "(").replace("}", ")"))


def inline_ptx_hl(
    ptx_code: str, *, write_only_types: Any = None, read_only_args: Any = None,
    read_write_args: Any = None, pred: Any = None, loc: Any = None, ip: Any = None,
) -> Any:
    """Writes PTX as inline_ptx does, with its operands in the same places.

    :param pred: where it is false the instruction is left out
    """
    return inline_ptx(ptx_code, write_only_types=write_only_types, read_only_args=read_only_args,
                      read_write_args=read_write_args, predicate=pred)


def clusterlaunchcontrol_query_cancel(
    query_type: Any, try_cancel_response: Any, *, loc: Any = None, ip: Any = None
) -> Any:
    """Decodes a response of clusterlaunchcontrol.try_cancel, from sm_100 on.

    :param query_type: IS_CANCELED, a Boolean; or GET_FIRST_CTA_ID_X, _Y or _Z, an Int32
    :param try_cancel_response: 128 bits: an integer, or a Vector of two Int64
    """
    name = word("ClusterLaunchControlQueryType", query_type)
    if hasattr(try_cancel_response, "to_elements"):
        low, high = try_cancel_response.to_elements()
    else:
        low, high = Int64(try_cancel_response), Int64(try_cancel_response >> 64)
    head = ".reg .b128 r; mov.b128 r, {{0}, {1}}; clusterlaunchcontrol.query_cancel"
    if name == "is_canceled":
        return ask(f"{head}.is_canceled.pred.b128 p, r;", low, high)
    text = f"{{ {head}.get_first_ctaid::{name}.b32.b128 $0, r; }}"
    return write(text, low, high, results=[Int32])


def wgmma_wait_group_sync_aligned(group: int, *, loc: Any = None, ip: Any = None) -> None:
    """Waits until at most this many groups of products are pending: wgmma.wait_group."""
    write(f"wgmma.wait_group.sync.aligned {int(group)};")


_OWN = {__name__, *(f"{__package__}._{n}" for n in
                    ("accesses", "copies", "fences", "numbers", "pack_floats", "products", "tensor_descriptors",
                     "tensor_memory", "tensor_products"))}
_PASSED_ON = """Tcgen05SmemSwizzle WgmmaSwizzle dialect inline_ptx print_runtime cp_async_bulk_commit_group cp_async_bulk_wait_group
cp_async_commit_group cp_async_wait_group""".split()
__all__ = [*_PASSED_ON, *_kinds.KINDS]
__all__ += [n for n, v in list(globals().items()) if n[0] != "_" and _of(v) in _OWN]

# Names that are not here, by pattern: their purpose, and a substitute.
_LEFT_OUT = {
    "tcgen05_ld_red": "loads with a maximum; use cute.nvgpu.tcgen05.LdRed32x32bOp",
    "convert_*s2f6x2*": "s2f6x2, which LLVM 22 does not have; use e2m3x2 or e3m2x2",
    "cvt_packfloat*_sf": "scaled conversions; use cvt_packfloat after scaling the numbers",
    "mma_block_scale": "this spelling; use cute.nvgpu.warp.MmaMXF8Op and the like with cute.gemm",
    "mma_sp_block_scale": "sparse scaled products of warps; use mma_sp_sync",
    "mma_smem_desc": "this spelling; use WgmmaSmemDesc.create or Tcgen05SmemDesc",
    "read_sreg_hw": "registers by number; use cute.arch.lane_idx, clock64 and the like",
    "trace_mark": "marks for a tracer; use cute.arch.clock64, or the simulator's trace",
    "TCBarParam": "an enumeration that no function takes; leave it out",
    "auto": "this name of Python's; import it from enum",
}


def __getattr__(name: str) -> Any:
    package = "cutlass.experimental.primitives"
    purpose = next((text for pattern, text in _LEFT_OUT.items() if fnmatchcase(name, pattern)), None)
    if purpose is not None:
        return Placeholder(f"{package}.{name}", purpose)
    from .._compat.missing import no_such_name

    raise no_such_name(package, name, globals())
