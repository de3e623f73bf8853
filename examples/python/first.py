"""A first program, which needs nothing but the package: python first.py, on a GPU or,
without one, on the simulator."""
import cute


@cute.kernel
def first(layout: cute.Constexpr):
    thread = cute.arch.thread_idx()[0]
    coordinate = cute.idx2crd(thread, layout.shape)
    cute.printf("thread %d has coordinate (%d,%d) and offset %d", thread, coordinate[0],
                coordinate[1], layout(thread))


@cute.jit
def main():
    first(cute.make_layout((2, 4), stride=(4, 1))).launch(grid=(1, 1, 1), block=(8, 1, 1))


main()
