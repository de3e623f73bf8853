# RUN: env CUTE_DEVICE=sim CUTE_ARCH=sm_90a %python %s
"""Modules and names that public programs import: what is there, and what only has its name."""

import ctypes
import dataclasses
import importlib
import importlib.metadata
import struct
import unittest

import cute.as_cutlass  # noqa: F401
import cutlass
import cutlass.cute as cute
import cutlass.utils
from cutlass._mlir.dialects import arith, nvvm, vector
from cutlass.base_dsl.arch import Arch
from cutlass.base_dsl.runtime.jit_arg_adapters import JitArgAdapterRegistry
from cutlass.base_dsl.typing import JitArgument  # noqa: F401
from cutlass.cute.nvgpu import tcgen05
from cutlass.cute.runtime import make_ptr
from cutlass.cutlass_dsl import BaseDSL, T, and_, or_

MODULES = """
base_dsl.ast_helpers base_dsl.ast_preprocessor base_dsl.common base_dsl.compiler base_dsl.dsl
base_dsl.tvm_ffi_builder cutlass_dsl.cutlass cute.tensor cute.atom cute.algorithm cute.tuple
cute.arch.elect cute.arch.mbar cute.arch.smem cute.arch.tmem cute.nvgpu.helpers
cute.nvgpu.warp.mma cute.nvgpu.warp.copy cute.nvgpu.cpasync.copy cute.nvgpu.cpasync.helpers
cute.nvgpu.warpgroup.mma cute.nvgpu.warpgroup.helpers cute.nvgpu.tcgen05.mma experimental
_mlir.dialects.scf _mlir.dialects.cute _mlir.dialects.cute_nvgpu _mlir.extras.types
utils.smem_allocator utils.smem_capacity utils.static_persistent_tile_scheduler
utils.print_latex utils.ampere_helpers utils.blockscaled_layout pipeline.helpers pipeline.sm90
pipeline.sm100 address_space jax
""".split()


class Imports(unittest.TestCase):
    def test_modules(self):
        for name in MODULES:
            importlib.import_module(f"cutlass.{name}")
        with self.assertRaisesRegex(ImportError, "cutlass.utils.nothing is not there"):
            importlib.import_module("cutlass.utils.nothing")

    def test_attributes_without_an_import(self):
        self.assertIs(cutlass.base_dsl.typing, importlib.import_module("cute.typing"))
        self.assertTrue(callable(cutlass.utils.hopper_helpers.make_trivial_tiled_mma))
        self.assertTrue(hasattr(cutlass.memory, "SmemAllocator"))
        self.assertFalse(hasattr(cutlass, "nothing"))
        with self.assertRaisesRegex(AttributeError, "cute.nothing is not there"):
            cute.nothing

    def test_placeholders_can_be_written_and_not_called(self):
        class Sums(tcgen05.MmaOp):
            def group(self, which: tcgen05.MmaOp | None = tcgen05.MmaOp.MAX):
                return which

        self.assertFalse(isinstance(3, tcgen05.MmaOp))
        for call in (Sums, Sums.create, tcgen05.MmaOp):
            with self.assertRaisesRegex(ImportError, "not there in this package, which leaves"):
                call()
        for name in ("SM107MmaFP8Op", "SM107MmaMXF4NVF4Op", "MmaF16BF16Trait"):
            with self.assertRaisesRegex(ImportError, "use (the products of sm_100|cute.make_copy_atom)"):
                getattr(tcgen05, name)()
        with self.assertRaisesRegex(ImportError, "use cpasync.update_tma_descriptor"):
            cute.nvgpu.cpasync.CopyBulkTensorTileG2SOverrideOp()
        self.assertIs(cutlass.experimental.task_scheduling,
                      importlib.import_module("cute.task_scheduling"))
        self.assertFalse(hasattr(cutlass.experimental, "nothing"))
        self.assertFalse(hasattr(cute.nvgpu.warpgroup, "nothing"))
        self.assertFalse(hasattr(cute.arch, "nothing"))

    def test_atoms_of_traits(self):
        @cute.jit
        def make(op: cute.Constexpr, kind: cute.Constexpr, trait: cute.Constexpr):
            made = (cute.make_copy_atom(op, cutlass.Float32, num_bits_per_copy=64)
                    if kind is cute.CopyAtom else cute.make_mma_atom(op))
            again = kind(op, trait(made))
            self.assertEqual((type(again), str(again), again.op), (kind, str(made), op))

        nvgpu = cute.nvgpu
        make(nvgpu.CopyUniversalOp(), cute.CopyAtom, nvgpu.CopyUniversalTrait)
        make(nvgpu.MmaUniversalOp(cutlass.Float32), cute.MmaAtom, nvgpu.MmaUniversalTrait)

    def test_both_experimental_packages(self):
        from cutlass.cute import experimental as later
        from cutlass.experimental import primitives

        self.assertTrue(callable(primitives.mbarrier_init))
        with self.assertRaisesRegex(ImportError, "AllocationRequirement is not there in this package"):
            later.AllocationRequirement(1)

    def test_version_of_the_distribution(self):
        for name in ("nvidia-cutlass-dsl", "nvidia_cutlass_dsl"):
            self.assertEqual(importlib.metadata.version(name), cutlass.__version__)
        listed = [d.metadata["Name"] for d in importlib.metadata.distributions()]
        self.assertNotIn("nvidia-cutlass-dsl", listed)
        with self.assertRaises(importlib.metadata.PackageNotFoundError):
            importlib.metadata.version("nvidia-cutlass")

    def test_architectures(self):
        arch = BaseDSL._get_dsl().get_arch_enum()
        self.assertEqual((arch, arch.major), (Arch.sm_90a, 9))
        self.assertTrue(Arch.sm_80 < arch <= Arch.from_string("sm_90a") < Arch.sm_100)
        with self.assertRaisesRegex(ValueError, "sm_1 is not an architecture"):
            Arch.from_string("sm_1")


class Warnings(unittest.TestCase):
    def test_of_programs(self):
        for warn in (BaseDSL._get_dsl().print_warning, BaseDSL._get_dsl().print_warning_once):
            with self.assertWarnsRegex(UserWarning, "slow"):
                warn("slow")

    def test_offsets_of_a_struct(self):
        @cute.struct
        class Storage:
            flag: cutlass.Int8
            data: cute.struct.Align[cute.struct.MemRange[cutlass.Float32, 4], 16]

        self.assertEqual(Storage._offsets, {"flag": 0, "data": 16})


class Foreign:
    """An object of another package, which knows nothing of arguments."""

    def __init__(self, number):
        self.number = ctypes.c_int32(number)


@JitArgAdapterRegistry.register_jit_arg_adapter(Foreign)
class Adapter:
    def __init__(self, foreign):
        self.foreign = foreign

    def __c_pointers__(self):
        return [ctypes.cast(ctypes.pointer(self.foreign.number), ctypes.c_void_p).value]

    def __get_mlir_types__(self):
        return [T.i32()]

    def __new_from_mlir_values__(self, values):
        return cutlass.Int32(values[0])


@cute.jit
def twice(foreign):
    return foreign + foreign


@cute.jit
def by_operations(a: cutlass.Int32, b: cutlass.Int32):
    product = arith.muli(a.ir_value(), b.ir_value())
    larger = arith.cmpi(arith.CmpIPredicate.sgt, product, arith.constant(T.i32(), 40))
    chosen = arith.select(larger, product, arith.constant(T.i32(), -1))
    half = arith.mulf(arith.sitofp(T.f32(), chosen), arith.constant(T.f32(), 0.5))
    return cutlass.Int32(chosen), cutlass.Float32(half)


class Walk:
    """An object that notes, as its values are taken, which of them are whose."""

    def __init__(self, place, limits):
        self.place, self.limits = place, limits

    def advance(self):
        self.place += 3

    def __extract_mlir_values__(self):
        parts = [cutlass.extract_mlir_values(x) for x in (self.place, self.limits)]
        self.counts = [len(part) for part in parts]
        return parts[0] + parts[1]

    def __new_from_mlir_values__(self, values):
        first = self.counts[0]
        return Walk(cutlass.new_from_mlir_values(self.place, values[:first]),
                    cutlass.new_from_mlir_values(self.limits, values[first:]))


@cute.jit
def walk(start: cutlass.Int32, end: cutlass.Int32):
    walker = Walk(start, (end, 2))
    steps = cutlass.Int32(0)
    while walker.place < walker.limits[0]:
        if steps > walker.limits[1]:
            walker.advance()
        walker.advance()
        steps += 1
    return walker.place, steps


class Programs(unittest.TestCase):
    def test_object_that_notes_its_values(self):
        self.assertEqual([walk(0, 7), walk(1, 20)], [(9, 3), (22, 5)])

    def test_adapter(self):
        compiled = cute.compile(twice, Foreign(4))
        self.assertEqual([twice(Foreign(3)), compiled(Foreign(5))], [6, 10])

    def test_arithmetic_by_operations(self):
        self.assertEqual(by_operations(6, 7), (42, 21.0))
        self.assertEqual(by_operations(6, 6), (-1, -0.5))


@dataclasses.dataclass
class Work:
    """What is passed to a host function: says itself what of it is a value."""

    scale: cutlass.Float32
    count: cutlass.Int32
    out: cute.Pointer

    def parts(self):
        return [getattr(self, f.name) for f in dataclasses.fields(self)]

    def __c_pointers__(self):
        return [x for part in self.parts() for x in part.__c_pointers__()]

    def __get_mlir_types__(self):
        return [t for part in self.parts() for t in part.__get_mlir_types__()]

    def __new_from_mlir_values__(self, values):
        made = [cutlass.new_from_mlir_values(p, [v]) for p, v in zip(self.parts(), values)]
        return Work(*made)


@cute.kernel
def changed(out: cute.Tensor, scale: cutlass.Float32, columns: cute.FastDivmodDivisor):
    i = cute.arch.thread_idx()[0]
    row, column = divmod(i, columns)
    four = cutlass.Float32(4).ir_value()
    larger = nvvm.fmax(T.f32(), out[i].ir_value(), scale.ir_value(), c=four)
    out[i] = cutlass.Float32(larger) + 10 * row + column + i % columns
    counter = cute.recast_ptr(out.iterator + 32, dtype=cutlass.Int32).llvm_ptr
    last = cutlass.Int32(20).ir_value()
    nvvm.atomicrmw(op=nvvm.AtomicOpKind.INC, ptr=counter, a=last, res=T.i32())
    total = (out.iterator + 33).llvm_ptr
    nvvm.atomicrmw(res=T.f32(), op=nvvm.AtomicOpKind.FADD, ptr=total, a=scale.ir_value())
    pair = vector.from_elements(T.vector(2, T.f32()), (scale.ir_value(), larger))
    if i == 31:
        second = vector.extract(pair, [], [1])
        out[34] = cutlass.Float32(second) + cute.arch.warp_idx()  # one thread asks


@cute.jit
def change(work):
    out = cute.make_tensor(work.out, cute.make_layout(35))
    changed(out, work.scale, cute.FastDivmodDivisor(work.count)).launch(
        grid=[1, 1, 1], block=[32, 1, 1], preferred_smem_carveout=50)


def expected(value, count):
    for k in range(count):
        value = value + k if value < 10 else value
    return value


@cute.kernel
def summed(out: cute.Tensor, count: cutlass.Int32):
    i = cute.arch.thread_idx()[0]

    @cute.jit
    def step(value, bound: cutlass.Constexpr):
        for k in cutlass.range(count, unroll=1):
            value = value + k if value < bound else value
        return value

    out[i] = step(out[i], bound=10.0)
    if and_(i > 3, i < 6, count > 0) or or_(i == 8, i == 9):
        out[i] = 0.0


@cute.jit
def sum_up(pointer: cute.Pointer, count: cutlass.Int32):
    summed(cute.make_tensor(pointer, 32), count).launch(grid=[1, 1, 1], block=[32, 1, 1])


class Kernels(unittest.TestCase):
    def test_function_with_loops_that_is_compiled_within_a_kernel(self):
        memory = (ctypes.c_float * 32)(*range(32))
        sum_up(make_ptr(cutlass.Float32, ctypes.addressof(memory), cute.AddressSpace.gmem), 5)
        wanted = [0 if i in (4, 5, 8, 9) else expected(i, 5) for i in range(32)]
        self.assertEqual(list(memory), wanted)

    def test_fields_operations_and_divisors(self):
        for count in (8, 5):
            memory = (ctypes.c_float * 35)(*range(32), 0, 0, 0)
            out = make_ptr(cutlass.Float32, ctypes.addressof(memory), cute.AddressSpace.gmem)
            change(Work(cutlass.Float32(3.5), cutlass.Int32(count), out), no_cache=True)
            wanted = [max(i, 4) + 10 * (i // count) + 2 * (i % count) for i in range(32)]
            self.assertEqual(list(memory[:32]), wanted)
            self.assertEqual(struct.unpack("i", struct.pack("f", memory[32]))[0], 32 % 21)
            self.assertEqual((memory[33], memory[34]), (32 * 3.5, 31.0))


if __name__ == "__main__":
    unittest.main()
