"""Compiles a kernel in memory, and prints its PTX: ctypes is all that is needed.

  python3 examples/embed/compile_kernel.py [libcute.so.0.1]
"""
import ctypes
import sys

KERNEL = b"""
gpu.module @kernels {
  gpu.func @twice(%A: !cute.tensor<f32, gmem, align<4>, "256:1">) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %x = gpu.thread_id x
    %i = arith.index_cast %x : index to i32
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %a = cute.load(%A, %at)
    %sum = arith.addf %a, %a : f32
    cute.store(%sum, %A, %at)
    gpu.return
  }
}
"""
CUTE_EMIT_PTX = 3


class Handle(ctypes.Structure):
    """MlirContext, MlirModule: structs of one pointer."""
    _fields_ = [("pointer", ctypes.c_void_p)]


class StringRef(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class Piece(ctypes.Structure):
    """The same as a callback gets it: without a NUL at the end."""
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class CompileOptions(ctypes.Structure):
    """The first fields: the size says that there are no others."""
    _fields_ = [("size", ctypes.c_size_t), ("arch", ctypes.c_char_p),
                ("emit", ctypes.c_int), ("optLevel", ctypes.c_uint)]


Callback = ctypes.CFUNCTYPE(None, Piece, ctypes.c_void_p)


def load(path):
    """The library, with the types of the functions that are used here."""
    cute = ctypes.CDLL(path)
    for name, result, *arguments in [
            ("cuteMlirContextCreate", Handle),
            ("cuteMlirContextDestroy", None, Handle),
            ("cuteModuleParse", Handle, Handle, StringRef, StringRef),
            ("cuteModuleCompile", ctypes.c_int8, Handle,
             ctypes.POINTER(CompileOptions), Callback, ctypes.c_void_p, ctypes.c_void_p),
            ("mlirModuleDestroy", None, Handle)]:
        function = getattr(cute, name)
        function.restype, function.argtypes = result, arguments
    return cute


def compile_kernel(cute, text, arch):
    """PTX, or None; what is wrong goes to standard error."""
    pieces = []
    take = Callback(lambda piece, _: pieces.append(
        ctypes.string_at(piece.data, piece.length)))
    context = cute.cuteMlirContextCreate()
    module = cute.cuteModuleParse(context, StringRef(text, len(text)),
                                  StringRef(b"twice", 5))
    options = CompileOptions(ctypes.sizeof(CompileOptions), arch, CUTE_EMIT_PTX, 2)
    done = module.pointer and cute.cuteModuleCompile(module, options, take, None,
                                                      None)
    if module.pointer:
        cute.mlirModuleDestroy(module)
    cute.cuteMlirContextDestroy(context)
    return b"".join(pieces).decode() if done else None


if __name__ == "__main__":
    library = sys.argv[1] if len(sys.argv) > 1 else "libcute.so.0.1"
    ptx = compile_kernel(load(library), KERNEL, b"sm_80")
    sys.exit(ptx is None or print(ptx))
