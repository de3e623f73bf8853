"""Torch tensors for this package's programs. Only its functions import torch."""

from __future__ import annotations

import ctypes
import dataclasses
import enum
from typing import Any, Sequence

from . import _bridge
from ._device import devices as _device
from ._values import numeric as _numeric
from ._values.numeric import Boolean, Float4E2M1FN, NumericMeta
from .cuda import CUstream
from .runtime import from_dlpack
from .testing import convert

_NAMES = {
    _numeric.Boolean: "bool",
    _numeric.Int8: "int8",
    _numeric.Int16: "int16",
    _numeric.Int32: "int32",
    _numeric.Int64: "int64",
    _numeric.Uint8: "uint8",
    _numeric.Uint16: "uint16",
    _numeric.Uint32: "uint32",
    _numeric.Uint64: "uint64",
    _numeric.Float16: "float16",
    _numeric.BFloat16: "bfloat16",
    _numeric.TFloat32: "float32",
    _numeric.Float32: "float32",
    _numeric.Float64: "float64",
    _numeric.Float8E4M3FN: "float8_e4m3fn",
    _numeric.Float8E5M2: "float8_e5m2",
}


def dtype(ty: NumericMeta) -> Any:
    """Returns torch's type for a numeric type."""
    import torch

    found = getattr(torch, _NAMES.get(ty, ""), None)
    if found is None:
        raise TypeError(f"torch has no type for {ty}")
    return found


class TensorInitType(enum.Enum):
    """The initial contents of a new tensor."""

    SKIP = "skip"
    SCALAR = "scalar"
    RANDOM = "random"
    GAUSSIAN = "gaussian"


@dataclasses.dataclass
class ScalarInitConfig:
    """One number for all elements."""

    value: float = 0.0


@dataclasses.dataclass
class RandomInitConfig:
    """Random integers from ``min_val`` to ``max_val`` - 1."""

    min_val: int = -2
    max_val: int = 2


@dataclasses.dataclass
class GaussianInitConfig:
    """Random numbers of a normal distribution, times ``scale``."""

    mean: float = 0.0
    std: float = 1.0
    scale: float = 1.0


_CONFIGS = {
    TensorInitType.SKIP: type(None),
    TensorInitType.SCALAR: ScalarInitConfig,
    TensorInitType.RANDOM: RandomInitConfig,
    TensorInitType.GAUSSIAN: GaussianInitConfig,
}


def create_and_permute_torch_tensor(
    shape: Sequence[int],
    dtype: Any,
    permute_order: Sequence[int] | None = None,
    init_type: TensorInitType = TensorInitType.RANDOM,
    init_config: Any = None,
    device: Any = None,
) -> Any:
    """Returns a contiguous tensor with its modes permuted.

    :param dtype: torch's type
    :param init_config: the configuration of ``init_type``, or None for its defaults
    """
    import torch

    kind = _CONFIGS[TensorInitType(init_type)]
    config = kind() if init_config is None else init_config
    if not isinstance(config, kind):
        raise ValueError(f"{init_type} takes a {kind.__name__}, not {init_config!r}")
    made = torch.empty(*shape, dtype=torch.float32, device=device)
    if isinstance(config, ScalarInitConfig):
        made.fill_(config.value)
    elif isinstance(config, RandomInitConfig):
        made.random_(config.min_val, config.max_val)
    elif isinstance(config, GaussianInitConfig):
        made.normal_(config.mean, config.std).mul_(config.scale)
    made = made.to(dtype=dtype)
    return made if permute_order is None else made.permute(permute_order)


def matrix(
    l: int,  # noqa: E741
    mode0: int,
    mode1: int,
    is_mode0_major: bool,
    cutlass_dtype: NumericMeta,
    init_type: TensorInitType = TensorInitType.RANDOM,
    init_config: Any = None,
    device: Any = None,
) -> Any:
    """Returns ``l`` matrices as a tensor (mode0, mode1, l), in float32 for small types.

    :param is_mode0_major: whether elements along mode0 follow each other
    """
    import torch

    shape = (l, mode1, mode0) if is_mode0_major else (l, mode0, mode1)
    order = (2, 1, 0) if is_mode0_major else (1, 2, 0)
    if init_config is None and init_type == TensorInitType.RANDOM:
        unsigned = cutlass_dtype.is_integer and not cutlass_dtype.signed
        init_config = RandomInitConfig(0, 4) if unsigned else RandomInitConfig(-2, 2)
    kind = torch.float32 if _is_small(cutlass_dtype) else dtype(cutlass_dtype)
    return create_and_permute_torch_tensor(
        shape, kind, order, init_type, init_config, device
    )


def _is_small(ty: NumericMeta) -> bool:
    """Returns whether torch has the type's bytes only."""
    return ty.is_float and ty.width <= 8


def get_leading_dim(torch_tensor: Any) -> int:
    """Returns the mode whose elements follow each other; of several, the longest."""
    modes = range(torch_tensor.ndim)
    found = [i for i in modes if torch_tensor.stride(i) == 1]
    if not found:
        raise ValueError(f"no mode has stride 1: {tuple(torch_tensor.stride())}")
    return max(found, key=lambda i: torch_tensor.shape[i])


def _dynamic(tensor: Any, like: Any, is_dynamic_layout: bool) -> Any:
    if is_dynamic_layout:
        return tensor.mark_layout_dynamic(leading_dim=get_leading_dim(like))
    return tensor


def convert_cute_tensor(
    f32_torch_tensor: Any,
    cute_tensor: Any,
    dtype: NumericMeta,
    is_dynamic_layout: bool = True,
    enable_tvm_ffi: bool = False,
) -> Any:
    """Writes float32 numbers into a tensor of bytes, for a type that torch lacks.

    :return: ``cute_tensor``, whose other types are left as they are
    """
    if dtype.width == 4:
        _pack(f32_torch_tensor, cute_tensor)
    elif _is_small(dtype):
        source = (
            f32_torch_tensor.cuda() if _on_device(cute_tensor) else f32_torch_tensor
        )
        source = _dynamic(from_dlpack(source), source, is_dynamic_layout)
        convert(source, cute_tensor)
    return cute_tensor


def _pack(numbers: Any, tensor: Any) -> None:
    """Writes numbers as e2m1, rounded to the nearest, two in a byte in the order of memory."""
    import torch

    if tensor.element_type is not Float4E2M1FN:
        raise TypeError(f"numbers are packed as {Float4E2M1FN}, not {tensor.element_type}")
    flat = torch.as_strided(numbers, (numbers.numel(),), (1,)).cpu().float()
    size = flat.abs()
    codes = (torch.signbit(flat).to(torch.uint8) << 3)
    for edge, is_up in zip(_E2M1_EDGES, (False, True) * 4):
        codes += ((size >= edge) if is_up else (size > edge)).to(torch.uint8)
    memory = as_tensor(tensor.iterator, (flat.numel() // 2,), torch.uint8)
    memory.copy_(codes[::2] | codes[1::2] << 4)


_E2M1_EDGES = (0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0)  # ties go to even codes


def _on_device(tensor: Any) -> bool:
    return tensor.memspace.name != "generic"


def cute_tensor_like(
    data_ref: Any,
    cutlass_dtype: NumericMeta,
    is_dynamic_layout: bool,
    assumed_align: int | None = None,
    enable_tvm_ffi: bool = False,
) -> tuple[Any, Any]:
    """Returns a tensor on the device with the numbers of a torch tensor.

    :return: the tensor, and the torch tensor that owns its memory
    """
    import torch

    small = _is_small(cutlass_dtype) or cutlass_dtype is Boolean
    kind = torch.uint8 if small else dtype(cutlass_dtype)
    if small:
        memory = torch.empty_strided(
            data_ref.shape, data_ref.stride(), dtype=kind, device="cuda"
        )
        if cutlass_dtype is Boolean:
            memory.copy_(data_ref != 0)
    else:
        memory = data_ref.to(dtype=kind, device="cuda")
    made = from_dlpack(memory, assumed_align=assumed_align)
    made.element_type = cutlass_dtype
    made = _dynamic(made, memory, is_dynamic_layout)
    if _is_small(cutlass_dtype):
        numbers = data_ref.to(dtype=torch.float32)
        made = convert_cute_tensor(numbers, made, cutlass_dtype, is_dynamic_layout)
    return made, memory


def as_tensor(pointer: Any, shape: Any, torch_type: Any) -> Any:
    """Returns a row-major torch tensor over the memory at a pointer.

    :param pointer: one of ``cute.runtime.make_ptr`` or an address, on the device if there is
        one, else of the host
    """
    import torch

    address = int(getattr(pointer, "_pointer", pointer))
    count = torch.Size(shape).numel()
    size = count * torch.empty(0, dtype=torch_type).element_size()
    if _device.ordinal() == _bridge.SIMULATED:
        memory = torch.frombuffer((ctypes.c_char * size).from_address(address), dtype=torch.uint8)
    else:
        kind = type("Memory", (), {"__cuda_array_interface__": {
            "data": (address, False), "shape": (size,), "typestr": "|u1", "version": 3}})
        memory = torch.as_tensor(kind(), device="cuda")
    return memory.view(torch_type).reshape(tuple(shape))


def prepare_tensors_for_gemm(
    mnkl: Any, a_dtype: NumericMeta, b_dtype: NumericMeta, c_dtype: NumericMeta
) -> tuple[Any, Any, Any]:
    """Returns tensors of small integers (M, K), (N, K) and (M, N) on the device, row-major,
    with a last mode L where ``mnkl`` has one."""
    import torch

    m, n, k, *batches = mnkl
    made = []
    for extents, kind in (((m, k), a_dtype), ((n, k), b_dtype), ((m, n), c_dtype)):
        numbers = torch.randint(-2, 3, (*batches, *extents), device="cuda").to(dtype(kind))
        made.append(numbers.permute(1, 2, 0) if batches else numbers)
    return tuple(made)


def current_stream() -> CUstream:
    """Returns torch's current stream."""
    import torch

    return CUstream(torch.cuda.current_stream().cuda_stream)


def default_stream() -> CUstream:
    """Returns torch's default stream."""
    import torch

    return CUstream(torch.cuda.default_stream().cuda_stream)
