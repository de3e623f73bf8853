"""What a thread of a kernel asks of the device: its place, barriers, exchange.

Functions that wait or exchange are executed by all threads that their
documentation in docs/Dialect.md names. Counts and places are Int32.
"""

from __future__ import annotations

import contextlib
import enum
from typing import Any, Callable, Iterator

from . import _arith, _builder, _ir
from . import math as _math
from ._numeric import (
    Boolean,
    Float32,
    Int32,
    Int64,
    Integer,
    Numeric,
    Uint32,
    as_numeric,
    maximum,
    minimum,
    operand_type,
)

FULL_MASK = 0xFFFFFFFF
WARP_SIZE = 32


def _op(
    name: str,
    operands: Any = (),
    results: Any = (),
    attributes: dict[str, str] | None = None,
) -> list[Any]:
    """Writes an operation of another dialect than cute."""
    return _builder.require(name).op(name, operands, results, attributes or {})


def _i32(value: Any) -> Any:
    return Int32(value).ir_value()


def _pointer(pointer: Any) -> Any:
    return pointer.ir


# ---- Places -----------------------------------------------------------------


def _three(name: str) -> tuple[Int32, Int32, Int32]:
    x, y, z = (Int32(_ir.apply(name, dim=dim)) for dim in "xyz")
    return x, y, z


def _registers(name: str) -> tuple[Int32, Int32, Int32]:
    x, y, z = (Int32(_register(f"{name}.{dim}")) for dim in "xyz")
    return x, y, z


def _register(name: str) -> Any:
    return _op(f"nvvm.read.ptx.sreg.{name}", (), ["i32"])[0]


def thread_idx(*, loc: Any = None, ip: Any = None) -> tuple[Int32, Int32, Int32]:
    """Returns the place (x, y, z) of the thread in its block."""
    return _three("thread_idx")


def block_idx(*, loc: Any = None, ip: Any = None) -> tuple[Int32, Int32, Int32]:
    """Returns the place (x, y, z) of the block in the grid."""
    return _three("block_idx")


def block_dim(*, loc: Any = None, ip: Any = None) -> tuple[Int32, Int32, Int32]:
    """Returns the number of threads of a block in x, y and z."""
    return _three("block_dim")


def grid_dim(*, loc: Any = None, ip: Any = None) -> tuple[Int32, Int32, Int32]:
    """Returns the number of blocks of the grid in x, y and z."""
    return _three("grid_dim")


def cluster_idx(*, loc: Any = None, ip: Any = None) -> tuple[Int32, Int32, Int32]:
    """Returns the place of the cluster in the grid."""
    return _registers("clusterid")


def cluster_dim(*, loc: Any = None, ip: Any = None) -> tuple[Int32, Int32, Int32]:
    """Returns the number of clusters of the grid in x, y and z."""
    return _registers("nclusterid")


def block_in_cluster_idx(
    *, loc: Any = None, ip: Any = None
) -> tuple[Int32, Int32, Int32]:
    """Returns the place of the block in its cluster."""
    return _registers("cluster.ctaid")


def block_in_cluster_dim(
    *, loc: Any = None, ip: Any = None
) -> tuple[Int32, Int32, Int32]:
    """Returns the number of blocks of a cluster in x, y and z."""
    return _registers("cluster.nctaid")


def block_idx_in_cluster(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the rank of the block in its cluster, x fastest."""
    return Int32(_ir.apply("block_rank_in_cluster"))


def lane_idx(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the number of the thread in its warp, 0 to 31."""
    return Int32(_ir.apply("lane_idx"))


def warp_idx(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the number of the warp in its block, the same in all its threads."""
    return Int32(_ir.apply("warp_idx"))


def make_warp_uniform(value: Any, *, loc: Any = None, ip: Any = None) -> Int32:
    """Returns what the first lane has, which the compiler then knows is uniform."""
    return shuffle_sync(Int32(value), 0)


def get_dyn_smem_size(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the bytes of dynamic shared memory of the block."""
    return Int32(_register("dynamic.smem.size"))


dynamic_smem_size = get_dyn_smem_size


# ---- Barriers and fences ----------------------------------------------------


def sync_threads(*, loc: Any = None, ip: Any = None) -> None:
    """Waits for all threads of the block."""
    _op("gpu.barrier")


def barrier(
    *,
    barrier_id: Any = None,
    number_of_threads: Any = None,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Waits at barrier 0 to 15 of the block until so many threads have arrived.

    Without a number all threads of the block take part, without an id it is
    ``sync_threads``.
    """
    if barrier_id is None:
        if number_of_threads is not None:
            raise ValueError("a barrier of some threads needs a barrier_id")
        sync_threads()
    elif number_of_threads is None:
        segments = {"operandSegmentSizes": "array<i32: 1, 0, 0>"}
        _op("nvvm.barrier", [_i32(barrier_id)], (), segments)
    else:
        _named("named_barrier_sync", barrier_id, number_of_threads)


def barrier_arrive(
    *, barrier_id: Any = None, number_of_threads: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """Arrives at a barrier of the block and goes on."""
    if barrier_id is None or number_of_threads is None:
        raise ValueError("barrier_arrive needs barrier_id and number_of_threads")
    _named("named_barrier_arrive", barrier_id, number_of_threads)


def _named(name: str, barrier_id: Any, threads: Any) -> None:
    operands = [_count(barrier_id), _count(threads)]
    _ir.apply(name, *operands, results=[])


def _count(value: Any) -> Any:
    """Returns an operand of the dialect that takes static integers, too."""
    number = as_numeric(value)
    if number.is_static:
        return _ir.type(f'!cute.int_tuple<"{int(number)}">')
    return _i32(number)


def sync_warp(mask: Any = FULL_MASK, *, loc: Any = None, ip: Any = None) -> None:
    """Waits for the threads of the warp in the mask."""
    _op("nvvm.bar.warp.sync", [_i32(mask)])


class ProxyKind(enum.Enum):
    """The ways to memory that ``fence_proxy`` orders."""

    alias = "alias"
    async_ = "async"
    async_global = "async.global"
    async_shared = "async.shared"


class SharedSpace(enum.Enum):
    """Whose shared memory ``fence_proxy`` is about."""

    shared_cta = "cta"
    shared_cluster = "cluster"


def fence_proxy(
    kind: Any, *, space: Any = None, use_intrinsic: Any = None, loc: Any = None, ip: Any = None
) -> None:
    """Orders the thread's writes before bulk copies and products on the same memory.

    :param kind: "async.shared", "async.global", "async" or "alias"
    """
    kind = getattr(kind, "value", kind)
    if kind == "alias":
        _op("nvvm.fence.proxy", (), (), {"kind": "#nvvm.proxy_kind<alias>"})
    else:
        _ir.apply("fence_proxy", kind=kind, results=[])


def fence_view_async_shared(*, loc: Any = None, ip: Any = None) -> None:
    """Is ``fence_proxy("async.shared")``."""
    fence_proxy("async.shared")


def _fence(scope: str, what: str) -> Callable[..., None]:
    def fence(*, loc: Any = None, ip: Any = None) -> None:
        _op("nvvm.memory.barrier", (), (), {"scope": f"#nvvm.mem_scope<{scope}>"})

    fence.__doc__ = f"Orders the thread's accesses to memory for {what}."
    return fence


fence_acq_rel_cta = _fence("cta", "the block")
fence_acq_rel_cluster = _fence("cluster", "the cluster")
fence_acq_rel_gpu = _fence("gpu", "the device")
fence_acq_rel_sys = _fence("sys", "all devices")


def cluster_arrive(*, aligned: Any = None, loc: Any = None, ip: Any = None) -> None:
    """Arrives at the barrier of the cluster."""
    _ir.apply("cluster_arrive", results=[])


def cluster_arrive_relaxed(*, aligned: Any = None, loc: Any = None, ip: Any = None) -> None:
    """Arrives at the barrier of the cluster without ordering memory."""
    _ir.apply("cluster_arrive", relaxed=True, results=[])


def cluster_wait(*, aligned: Any = None, loc: Any = None, ip: Any = None) -> None:
    """Waits until all threads of the cluster have arrived."""
    _ir.apply("cluster_wait", results=[])


@contextlib.contextmanager
def elect_one(*, loc: Any = None, ip: Any = None) -> Iterator[None]:
    """Lets one thread of the warp execute what stands in the ``with``."""
    builder = _builder.require("cute.arch.elect_one")
    chosen = _ir.apply("elect_one")
    regions = [builder.region(), builder.region()]
    with builder.inside(regions[0]):
        yield
    for region in regions:
        with builder.inside(region):
            builder.op("scf.yield")
    builder.op("scf.if", [chosen], [], {}, regions)


def griddepcontrol_wait(*, loc: Any = None, ip: Any = None) -> None:
    """Waits for the grids that this one depends on."""
    _ir.apply("griddepcontrol_wait", results=[])


def griddepcontrol_launch_dependents(*, loc: Any = None, ip: Any = None) -> None:
    """Lets the grids that depend on this one begin."""
    _ir.apply("griddepcontrol_launch_dependents", results=[])


def setmaxregister_increase(count: int, *, loc: Any = None, ip: Any = None) -> None:
    """Gives each thread of the warpgroup so many registers."""
    _ir.apply("set_registers", action="increase", n=count, results=[])


def setmaxregister_decrease(count: int, *, loc: Any = None, ip: Any = None) -> None:
    """Leaves each thread of the warpgroup so many registers."""
    _ir.apply("set_registers", action="decrease", n=count, results=[])


warpgroup_reg_alloc = setmaxregister_increase
warpgroup_reg_dealloc = setmaxregister_decrease


# ---- Copies that are waited for ---------------------------------------------


def cp_async_commit_group(*, loc: Any = None, ip: Any = None) -> None:
    """Closes the group of cp.async copies issued so far."""
    _ir.apply("cp_async_commit", results=[])


def cp_async_wait_group(n: int, *, loc: Any = None, ip: Any = None) -> None:
    """Waits until at most ``n`` of the latest groups are pending."""
    _ir.apply("cp_async_wait", n=int(n), results=[])


def cp_async_wait_all(*, loc: Any = None, ip: Any = None) -> None:
    """Waits for all cp.async copies of the thread."""
    _ir.apply("cp_async_wait_all", results=[])


def cp_async_bulk_commit_group(*, loc: Any = None, ip: Any = None) -> None:
    """Closes the group of bulk copies out of shared memory."""
    _ir.apply("cp_async_bulk_commit", results=[])


def cp_async_bulk_wait_group(
    group: int, *, read: bool = False, loc: Any = None, ip: Any = None
) -> None:
    """Waits until at most ``group`` groups are pending; with ``read``, to be read."""
    name = "cp_async_bulk_wait_read" if read else "cp_async_bulk_wait"
    _ir.apply(name, n=int(group), results=[])


# ---- Barriers in memory -----------------------------------------------------


def mbarrier_init(mbar_ptr: Any, cnt: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Makes a barrier in shared memory that waits for ``cnt`` arrivals."""
    _ir.apply("mbarrier_init", _pointer(mbar_ptr), _i32(cnt), results=[])


def mbarrier_init_fence(*, loc: Any = None, ip: Any = None) -> None:
    """Makes barriers known to bulk copies and to the cluster."""
    _ir.apply("fence_mbarrier_init", results=[])


def _of_block(mbar_ptr: Any, rank: Any) -> Any:
    """Returns a barrier, or that of another block of the cluster."""
    if rank is None:
        return _pointer(mbar_ptr)
    return _ir.apply("mapa", _pointer(mbar_ptr), _i32(rank))


def mbarrier_arrive(
    mbar_ptr: Any,
    peer_cta_rank_in_cluster: Any = None,
    arrive_count: int = 1,
    *,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Arrives at a barrier, which may be that of another block."""
    for _ in range(int(arrive_count)):
        if peer_cta_rank_in_cluster is None:
            _ir.apply("mbarrier_arrive", _pointer(mbar_ptr), results=[])
        else:
            rank = _i32(peer_cta_rank_in_cluster)
            _ir.apply("mbarrier_arrive_remote", _pointer(mbar_ptr), rank, results=[])


def mbarrier_arrive_and_expect_tx(
    mbar_ptr: Any,
    bytes: Any,
    peer_cta_rank_in_cluster: Any = None,
    *,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Arrives at a barrier, and has it wait for bytes of bulk copies, too."""
    place = _of_block(mbar_ptr, peer_cta_rank_in_cluster)
    _ir.apply("mbarrier_arrive_expect_tx", place, _i32(bytes), results=[])


def mbarrier_expect_tx(
    mbar_ptr: Any,
    bytes: Any,
    peer_cta_rank_in_cluster: Any = None,
    *,
    loc: Any = None,
    ip: Any = None,
) -> None:
    """Has a barrier wait for bytes of bulk copies, too."""
    place = _of_block(mbar_ptr, peer_cta_rank_in_cluster)
    _ir.apply("mbarrier_expect_tx", place, _i32(bytes), results=[])


def mbarrier_wait(mbar_ptr: Any, phase: Any, *, loc: Any = None, ip: Any = None) -> None:
    """Waits until the phase of a parity is complete."""
    _ir.apply("mbarrier_wait", _pointer(mbar_ptr), _i32(phase), results=[])


def mbarrier_try_wait(
    mbar_ptr: Any, phase: Any, *, loc: Any = None, ip: Any = None
) -> Boolean:
    """Waits for a while, and says whether the phase is complete."""
    return Boolean(_ir.apply("mbarrier_try_wait", _pointer(mbar_ptr), _i32(phase)))


def mbarrier_conditional_try_wait(
    cond: Any, mbar_ptr: Any, phase: Any, *, loc: Any = None, ip: Any = None
) -> Boolean:
    """Is ``mbarrier_try_wait`` if the condition holds, else true."""
    from ._control import ifexp

    wait = lambda: mbarrier_try_wait(mbar_ptr, phase)  # noqa: E731
    return Boolean(ifexp(cond, wait, lambda: Boolean(True), ("", 0, 0)))


def cp_async_mbarrier_arrive_noinc(
    mbar_ptr: Any, *, loc: Any = None, ip: Any = None
) -> None:
    """Arrives once all cp.async copies of the thread so far are complete."""
    _ir.apply("cp_async_mbarrier_arrive", _pointer(mbar_ptr), noinc=True, results=[])


# ---- Between the lanes of a warp --------------------------------------------

_WHOLE = {"idx": 31, "bfly": 31, "down": 31, "up": 0}


def _vector_or_number(value: Any) -> Any:
    from ._tensor_ssa import TensorSSA

    return value if isinstance(value, TensorSSA) else as_numeric(value)


def shuffle_sync_op(
    value: Any,
    offset: Any,
    mask: Any = FULL_MASK,
    mask_and_clamp: Any = 31,
    kind: str = "idx",
    *,
    loc: Any = None,
    ip: Any = None,
) -> Any:
    """Returns the value that another lane has.

    :param value: a number, or a vector of 8, 16 or a multiple of 32 bits
    :param offset: the lane's number, or how it differs from the own
    :param mask_and_clamp: PTX's operand c of shfl.sync, for groups within a warp
    """
    kind = str(getattr(kind, "name", kind))
    operand = _vector_or_number(value)
    whole = isinstance(mask_and_clamp, int) and mask_and_clamp == _WHOLE[kind]
    if whole and isinstance(mask, int) and mask & FULL_MASK == FULL_MASK:
        lane = _i32(offset)
        made = _ir.apply("shuffle_sync", operand.ir_value(), lane, kind=kind)
        return _like(operand, made)
    return _shuffle_groups(operand, offset, mask, mask_and_clamp, kind)


def _like(operand: Any, value: Any) -> Any:
    if isinstance(operand, Numeric):
        return type(operand)(value)
    return operand.__new_from_mlir_values__([value])


def _shuffle_groups(operand: Any, offset: Any, mask: Any, clamp: Any, kind: str) -> Any:
    if not isinstance(operand, Numeric) or operand.width != 32:
        raise TypeError("within groups of lanes, numbers of 32 bits are exchanged")
    values = [_i32(mask), operand.ir_value(), _i32(offset), _i32(clamp)]
    attributes = {"kind": f"#nvvm<shfl_kind {kind}>"}
    return _like(operand, _op("nvvm.shfl.sync", values, [operand.dtype.ir_name], attributes)[0])


def _shuffle(kind: str, what: str) -> Callable[..., Any]:
    def shuffle(
        value: Any,
        offset: Any,
        mask: Any = FULL_MASK,
        mask_and_clamp: Any = _WHOLE[kind],
        *,
        loc: Any = None,
        ip: Any = None,
    ) -> Any:
        return shuffle_sync_op(value, offset, mask, mask_and_clamp, kind)

    shuffle.__doc__ = f"Returns the value of the lane {what}."
    return shuffle


shuffle_sync = _shuffle("idx", "with the number ``offset``")
shuffle_sync_bfly = _shuffle("bfly", "whose number differs in the bits of ``offset``")
shuffle_sync_up = _shuffle("up", "so many before the own")
shuffle_sync_down = _shuffle("down", "so many after the own")


def warp_reduction(
    val: Any, op: Callable[[Any, Any], Any], *, threads_in_group: int = 32
) -> Any:
    """Combines the values of groups of lanes that follow each other.

    :param op: a function of two values, associative and commutative
    :param threads_in_group: a power of two
    """
    offset = threads_in_group // 2
    while offset:
        val = op(val, shuffle_sync_bfly(val, offset))
        offset //= 2
    return val


def warp_reduction_max(val: Any, *, threads_in_group: int = 32) -> Any:
    """Returns the largest of the values of a group of lanes."""
    return warp_reduction(val, fmax, threads_in_group=threads_in_group)


def warp_reduction_sum(val: Any, *, threads_in_group: int = 32) -> Any:
    """Returns the sum of the values of a group of lanes."""
    return warp_reduction(val, lambda a, b: a + b, threads_in_group=threads_in_group)


def warp_redux_sync(
    value: Any, kind: str, mask: Any = FULL_MASK, *, loc: Any = None, ip: Any = None
) -> Any:
    """Combines an integer of 32 bits over the warp: add, min, max, and, or, xor."""
    number = as_numeric(value)
    if number.width != 32 or not number.dtype.is_integer:
        raise TypeError(f"redux.sync takes integers of 32 bits, not {number.dtype}")
    if kind in ("min", "max") and not number.dtype.signed:
        kind = "u" + kind
    attributes = {"kind": f"#nvvm<redux_kind {kind}>", "abs": "false", "nan": "false"}
    operands = [number.ir_value(), _i32(mask)]
    return _like(number, _op("nvvm.redux.sync", operands, ["i32"], attributes)[0])


def _vote(kind: str, name: str, result: Any, what: str) -> Callable[..., Any]:
    def vote(
        pred: Any, mask: Any = FULL_MASK, *, loc: Any = None, ip: Any = None
    ) -> Any:
        bit = Boolean(pred).ir_value()
        if name and isinstance(mask, int) and mask & FULL_MASK == FULL_MASK:
            return result(_ir.apply(name, bit))
        attributes = {"kind": f"#nvvm<vote_sync_kind {kind}>"}
        return result(_op("nvvm.vote.sync", [_i32(mask), bit], [result.ir_name], attributes)[0])

    vote.__doc__ = f"Returns {what}."
    return vote


vote_all_sync = _vote("all", "vote_all_sync", Boolean, "whether it holds in all lanes")
vote_any_sync = _vote("any", "vote_any_sync", Boolean, "whether it holds in some lane")
vote_uni_sync = _vote("uni", "", Boolean, "whether it is the same in all lanes")
vote_ballot_sync = _vote(
    "ballot", "vote_ballot_sync", Int32, "the lanes in which it holds, a bit for each"
)


def match_any_sync(value: Any, *, loc: Any = None, ip: Any = None) -> Int32:
    """Returns the lanes that have the same integer, a bit for each."""
    return Int32(_ir.apply("match_any_sync", as_numeric(value).ir_value()))


# ---- Numbers ----------------------------------------------------------------


def _of_floats(name: str, plain: Callable[..., Any], what: str) -> Callable[..., Any]:
    def function(
        a: Any, b: Any, c: Any = None, *, loc: Any = None, ip: Any = None
    ) -> Any:
        if c is not None:
            return function(function(a, b), c)
        x, y = as_numeric(a), as_numeric(b)
        dtype = operand_type("add", type(x), type(y))
        if not dtype.is_float:
            return plain(x, y)
        x, y = x.to(dtype), y.to(dtype)
        if x.is_static and y.is_static:
            return y if x.value != x.value else x if y.value != y.value else plain(x, y)
        operands = [x.ir_value(), y.ir_value()]
        return dtype(_op(f"arith.{name}", operands, [dtype.ir_name])[0])

    function.__doc__ = f"Returns the {what} of two or three numbers; NaN loses."
    return function


fmax = _of_floats("maxnumf", maximum, "largest")
fmin = _of_floats("minnumf", minimum, "smallest")


def rcp_approx(a: Any, *, loc: Any = None, ip: Any = None) -> Float32:
    """Returns 1 / a within 1 ulp, 0 for what would be subnormal."""
    number = Float32(a).ir_value()
    return Float32(_op("nvvm.rcp.approx.ftz.f", [number], ["f32"])[0])


def exp2(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns 2 to the power of ``a`` by the device's instruction."""
    return _math.exp2(a, fastmath=True)


def exp(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns e to the power of ``a`` by the device's instruction."""
    return _math.exp(a, fastmath=True)


def log2(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the logarithm to base 2 by the device's instruction."""
    return _math.log2(a, fastmath=True)


def log(a: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the natural logarithm by the device's instruction."""
    return _math.log(a, fastmath=True)


def _pairs(function: Callable[..., Any], what: str) -> Callable[..., Any]:
    def packed(*operands: Any, rnd: Any = None, ftz: Any = None, loc: Any = None, ip: Any = None) -> Any:
        return tuple(function(*map(Float32, pair)) for pair in zip(*operands))

    packed.__doc__ = f"Returns {what} for both numbers of pairs of Float32."
    return packed


add_packed_f32x2 = _pairs(lambda a, b: a + b, "a + b")
sub_packed_f32x2 = _pairs(lambda a, b: a - b, "a - b")
mul_packed_f32x2 = _pairs(lambda a, b: a * b, "a * b")
fma_packed_f32x2 = _pairs(lambda a, b, c: _math.fma(a, b, c), "a * b + c")


def prmt(a: Any, b: Any, selector: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns four bytes chosen from those of ``a`` (0 to 3) and ``b`` (4 to 7)."""
    operands = [_i32(a), _i32(b), _i32(selector)]
    mode = {"mode": "#nvvm.permute_mode<default>"}
    dtype = type(as_numeric(a)) if as_numeric(a).dtype.is_integer else Uint32
    return dtype(_op("nvvm.prmt", operands, ["i32"], mode)[0])


def popc(value: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the number of bits that are set."""
    return _bits("math.ctpop", value)


def clz(value: Any, *, loc: Any = None, ip: Any = None) -> Any:
    """Returns the number of leading zeros."""
    return _bits("math.ctlz", value)


def _bits(name: str, value: Any) -> Any:
    number = as_numeric(value)
    if not isinstance(number, Integer):
        raise TypeError(f"the bits of {number.dtype} are not counted")
    return Int32(type(number)(_arith.unary(name, number.ir_value(), number.dtype)))


def clock(*, loc: Any = None, ip: Any = None) -> Int32:
    """Returns a counter of cycles."""
    return Int32(_register("clock"))


def globaltimer(*, loc: Any = None, ip: Any = None) -> Int64:
    """Returns the time in nanoseconds."""
    return Int64(_op("nvvm.read.ptx.sreg.globaltimer", (), ["i64"])[0])
