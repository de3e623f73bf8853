"""Functions with an error or a warning in each stage; torch is not needed."""

import array
import sys

import cutlass
import cutlass.cute as cute


@cute.kernel
def unknown(a: cute.Tensor):
    a[cute.arch.thread_idx()[0]] = nosuch  # noqa: F821 TRACE


@cute.kernel
def newer(a: cute.Tensor):
    cute.arch.cluster_arrive()  # COMPILE
    cute.arch.cluster_wait()
    a[cute.arch.thread_idx()[0]] = 1.0


@cute.kernel
def conflicts(a: cute.Tensor):
    t = cute.arch.thread_idx()[0]
    s = cutlass.utils.SmemAllocator().allocate_tensor(
        cutlass.Float32, cute.make_layout((32, 32), stride=(32, 1)), 16)
    for i in range(32):
        s[t, i] = a[t]  # LINT
    a[t] = s[t, 0]


@cute.kernel
def outside(a: cute.Tensor):
    t = cute.arch.thread_idx()[0]
    cute.printf("%d", t)
    a[t + 1] = 1.0  # SIMULATE


@cute.kernel
def right(a: cute.Tensor):
    a[cute.arch.thread_idx()[0]] = 1.0  # PROVE


@cute.kernel
def guarded(a: cute.Tensor):
    t = cute.arch.thread_idx()[0]
    if t < a.shape[0]:
        a[t] = 1.0


@cute.kernel
def shown(a: cute.Tensor):
    layout = cute.make_layout((2, 3), stride=(3, 1))  # LAYOUT
    part = cute.local_tile(a, (8,), (0,))
    total = cutlass.Float32(0.0)
    for i in range(cute.arch.thread_idx()[0]):
        x = part[i]
        total = total + x
    a[layout((0, 0))] = total


@cute.kernel
def endless(a: cute.Tensor):
    t = cute.arch.thread_idx()[0]
    while a[t] >= 0.0:
        cute.arch.sync_threads()
        a[t] = a[t] + 1.0


class Array(array.array):
    """An array of the host, as numpy's are."""

    shape, strides = property(lambda self: (len(self),)), property(lambda self: (4,))

    @property
    def __array_interface__(self):
        return {"data": (self.buffer_info()[0], False), "typestr": "<f4", "shape": self.shape}

    def __dlpack__(self):
        raise NotImplementedError


KERNELS = {f.__name__: f for f in (unknown, newer, conflicts, outside, right, guarded, shown,
                                endless)}

if __name__ == "__main__":
    print("what the program prints")
    memory = Array("f", [0.0] * 32)
    for name in sys.argv[1:]:
        kernel = KERNELS.get(name)
        assert kernel, f"no kernel is called {name}"

        @cute.jit
        def host(a: cute.Tensor):
            kernel(a).launch(grid=(1, 1, 1), block=(32, 1, 1))

        host.set_name_prefix(name)
        host(memory)
