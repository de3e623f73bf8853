"""Builds a GEMM for a tile of BM x BN x BK, as build_gemm.c does, and prints its PTX.

  python3 examples/embed/build_gemm.py BM BN BK [libcute.so.0.1]

BM and BN are 64 or 128, BK is 16, 32 or 64.
"""
import ctypes
import sys

from compile_kernel import CUTE_EMIT_PTX, Callback, CompileOptions, Handle

MATRIX = '!cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">'
ASYNC = 'copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>'


class NewOperation(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("num_operands", ctypes.c_ssize_t),
                ("operands", ctypes.POINTER(Handle)), ("attributes", ctypes.c_char_p),
                ("num_results", ctypes.c_ssize_t), ("results", ctypes.POINTER(Handle))]


class NewKernel(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("num_parameters", ctypes.c_ssize_t),
                ("parameters", ctypes.POINTER(Handle)), ("block", ctypes.c_int32 * 3),
                ("cluster", ctypes.c_int32 * 3), ("grid", ctypes.c_char_p * 3)]


def load(path):
    """The library, with the types of the functions that are used here."""
    cute = ctypes.CDLL(path)
    text, size, pointer = ctypes.c_char_p, ctypes.c_ssize_t, ctypes.c_void_p
    handles = ctypes.POINTER(Handle)
    builder = {
        "Create": (pointer, Handle), "Destroy": (None, pointer), "Take": (Handle, pointer),
        "GetType": (Handle, pointer, text), "GetArgument": (Handle, pointer, size),
        "AddOperation": (Handle, pointer, ctypes.POINTER(NewOperation)),
        "AddAs": (Handle, pointer, text, text, size, handles),
        "AddInteger": (Handle, pointer, text, ctypes.c_int64),
        "BeginKernel": (None, pointer, ctypes.POINTER(NewKernel)),
        "BeginFor": (Handle, pointer, Handle, Handle, Handle, size, handles),
        "End": (None, pointer, size, handles)}
    functions = {"cuteModuleBuilder" + name: types for name, types in builder.items()}
    functions |= {
        "cuteMlirContextCreate": (Handle,), "cuteMlirContextDestroy": (None, Handle),
        "cuteModuleCompile": (ctypes.c_int8, Handle, ctypes.POINTER(CompileOptions),
                              Callback, pointer, pointer),
        "mlirLocationUnknownGet": (Handle, Handle), "mlirModuleDestroy": (None, Handle),
        "mlirOperationGetNumResults": (size, Handle),
        "mlirOperationGetResult": (Handle, Handle, size)}
    for name, (result, *arguments) in functions.items():
        function = getattr(cute, name)
        function.restype, function.argtypes = result, arguments
    return cute


class Builder:
    """A CuteModuleBuilder; operations are added by calling it."""

    def __init__(self, cute, context):
        self.cute = cute
        self.builder = cute.cuteModuleBuilderCreate(cute.mlirLocationUnknownGet(context))

    def __call__(self, name, *operands, attributes=None):
        """The first result, all of them as a list if there are several, or None."""
        values = (Handle * len(operands))(*operands)
        new = NewOperation(name.encode(), len(operands), values,
                           attributes and attributes.encode())
        op = self.cute.cuteModuleBuilderAddOperation(self.builder, new)
        if not op.pointer:
            raise SystemExit(1)  # what is wrong is on standard error
        results = [self.cute.mlirOperationGetResult(op, i)
                   for i in range(self.cute.mlirOperationGetNumResults(op))]
        return results if len(results) > 1 else results[0] if results else None

    def static(self, kind):
        """A value that its type says: shape<"(4,8)">."""
        return self.make("cute.static", f"!cute.{kind}")

    def make(self, name, kind, *operands):
        """An operation whose result has this type."""
        values = (Handle * len(operands))(*operands)
        return self.cute.cuteModuleBuilderAddAs(
            self.builder, name.encode(), kind.encode(), len(operands), values)

    def integer(self, value):
        return self.cute.cuteModuleBuilderAddInteger(self.builder, b"i32", value)

    def loop(self, upper):
        """Opens a loop from 0, and gives its index."""
        return self.cute.cuteModuleBuilderBeginFor(
            self.builder, self.integer(0), upper, self.integer(1), 0, None)

    def end(self):
        self.cute.cuteModuleBuilderEnd(self.builder, 0, None)

    def take(self):
        module = self.cute.cuteModuleBuilderTake(self.builder)
        self.cute.cuteModuleBuilderDestroy(self.builder)
        return module


def begin_kernel(b, bm, bn):
    """Opens the kernel and gives its matrices."""
    matrix = b.cute.cuteModuleBuilderGetType(b.builder, MATRIX.encode())
    kernel = NewKernel(b"gemm", 3, (Handle * 3)(matrix, matrix, matrix), (128, 0, 0))
    kernel.grid[:2] = [f"ceil_div(arg2.shape[{i}], {tile})".encode()
                       for i, tile in enumerate((bm, bn))]
    b.cute.cuteModuleBuilderBeginKernel(b.builder, kernel)
    return [b.cute.cuteModuleBuilderGetArgument(b.builder, i) for i in range(3)]


def by_rows(b, atom, columns):
    """A copy of 16 bytes a thread, by rows."""
    threads = b.static(f'layout<"({1024 // columns},{columns // 8}):({columns // 8},1)">')
    return b("cute.make_tiled_copy", b.static(atom), threads, b.static('layout<"(1,8):(0,1)">'))


def add_gemm(b, bm, bn, bk):
    """C = A * transpose(B), as examples/gemm_plain.mlir has it."""
    matrix_a, matrix_b, matrix_c = begin_kernel(b, bm, bn)

    def shared(rows, columns):
        layout = b.static(f'layout<"({rows},{columns}):({columns},1)">')
        return b("cute.alloc_smem", layout, attributes="{element = f16, align = 128 : i32}")

    def coord(row, column):
        return b.make("cute.make_coord", '!cute.coord<"(?,?)">', row, column)

    block_m, block_n = b("cute.block_idx"), b("cute.block_idx", attributes='{dim = "y"}')
    thread = b("cute.thread_idx")
    shared_a, shared_b = shared(bm, bk), shared(bn, bk)
    mma = b("cute.make_tiled_mma", b.static('mma_atom<"SM80_16x8x16_F32F16F16F32_TN">'),
            b.static('layout<"(2,2,1):(1,2,0)">'), b.static('shape<"(32,32,16)">'))
    part_a = b("cute.partition_a", mma, shared_a, thread)
    part_b = b("cute.partition_b", mma, shared_b, thread)
    fragment_a = b("cute.make_fragment_a", mma, part_a)
    fragment_b = b("cute.make_fragment_b", mma, part_b)
    part_c = b("cute.partition_shape_c", mma, b.static(f'shape<"({bm},{bn})">'))
    total = b("cute.make_fragment", part_c, attributes="{element = f32}")
    b("cute.clear", total)

    load = by_rows(b, ASYNC, bk)
    store_a = b("cute.partition_d", load, shared_a, thread)
    store_b = b("cute.partition_d", load, shared_b, thread)
    ldmatrix = b.static('copy_atom<"SM75_U32x4_LDSM_N", f16>')
    copy_a = b("cute.make_tiled_copy_a", ldmatrix, mma)
    copy_b = b("cute.make_tiled_copy_b", ldmatrix, mma)
    from_a = b("cute.partition_s", copy_a, shared_a, thread)
    from_b = b("cute.partition_s", copy_b, shared_b, thread)
    to_a = b("cute.retile", copy_a, fragment_a)
    to_b = b("cute.retile", copy_b, fragment_b)

    layout = b("cute.get_layout", matrix_a)
    _, extent, _ = b("cute.get_scalars", layout, attributes="{only_dynamic}")
    k = b.loop(b("arith.ceildivui", extent, b.integer(bk)))
    tile_a, a_inside = b("cute.predicated_tile_s", load, matrix_a,
                         b.static(f'shape<"({bm},{bk})">'), coord(block_m, k), thread)
    tile_b, b_inside = b("cute.predicated_tile_s", load, matrix_b,
                         b.static(f'shape<"({bn},{bk})">'), coord(block_n, k), thread)
    b("cute.copy", load, tile_a, store_a, a_inside)
    b("cute.copy", load, tile_b, store_b, b_inside)
    b("cute.cp_async_commit")
    b("cute.cp_async_wait", attributes="{n = 0 : i32}")
    b("gpu.barrier")
    b("cute.copy", copy_a, from_a, to_a)
    b("cute.copy", copy_b, from_b, to_b)
    b("cute.gemm", mma, total, fragment_a, fragment_b, total)
    b("gpu.barrier")
    b.end()

    half = b("cute.make_fragment_like", total, attributes="{element = f16}")
    b("cute.convert", total, half)
    shared_c = shared(bm, bn)
    store = b("cute.make_tiled_copy_c", b.static('copy_atom<"UniversalCopy<uint32_t>", f16>'), mma)
    to_c = b("cute.partition_d", store, shared_c, thread)
    b("cute.copy", store, b("cute.retile", store, half), to_c)
    b("gpu.barrier")
    rows = by_rows(b, 'copy_atom<"UniversalCopy<uint128_t>", f16>', 64)
    read = b("cute.partition_s", rows, shared_c, thread)
    tile_c, c_inside = b("cute.predicated_tile_d", rows, matrix_c,
                         b.static(f'shape<"({bm},{bn})">'), coord(block_m, block_n), thread)
    registers = b("cute.make_fragment_like", read)
    b("cute.copy", rows, read, registers)
    b("cute.copy", rows, registers, tile_c, c_inside)
    b.end()


def main(bm, bn, bk, library="libcute.so.0.1"):
    cute = load(library)
    context = cute.cuteMlirContextCreate()
    builder = Builder(cute, context)
    add_gemm(builder, int(bm), int(bn), int(bk))
    module = builder.take()
    pieces = []
    take = Callback(lambda piece, _: pieces.append(
        ctypes.string_at(piece.data, piece.length)))
    done = module.pointer and cute.cuteModuleCompile(
        module, CompileOptions(ctypes.sizeof(CompileOptions), b"sm_80", CUTE_EMIT_PTX, 2),
        take, None, None)
    if module.pointer:
        cute.mlirModuleDestroy(module)
    cute.cuteMlirContextDestroy(context)
    sys.stdout.write(b"".join(pieces).decode())
    return not done


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
