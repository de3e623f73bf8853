# A C program calls an exported function, with the headers and the library of the package.
import subprocess

import cute
from cute import Float32
from cute.runtime import find_runtime_headers, find_runtime_libraries, make_fake_compact_tensor

MAIN = """
#include "twice.h"
int main(void) {
  float data[100];
  CuteDevicePointer memory;
  twice_Kernel_Module_t module;
  for (int i = 0; i < 100; i++)
    data[i] = i;
  if (twice_Kernel_Module_Load(&module) ||
      twice_Report(cuteDeviceAllocate(module.device, sizeof data, &memory)) ||
      twice_Report(cuteDeviceWrite(module.device, memory, data, sizeof data)))
    return 1;
  twice_Tensor_a_t a = {(void *)(uintptr_t)memory, {100}};
  int failed = cute_dsl_twice_wrapper(&module, &a) ||
               twice_Report(cuteDeviceRead(module.device, data, memory, sizeof data));
  printf("%d: %g %g\\n", failed, data[1], data[99]);
  twice_Kernel_Module_Unload(&module);
}
"""


@cute.kernel
def double(a: cute.Tensor):
    i = cute.arch.block_idx()[0] * 64 + cute.arch.thread_idx()[0]
    if i < cute.size(a):
        a[i] = a[i] * 2.0


@cute.jit
def twice(a: cute.Tensor):
    blocks = cute.ceil_div(cute.size(a), 64)
    double(a).launch(grid=(blocks, 1, 1), block=(64, 1, 1))


vector = make_fake_compact_tensor(Float32, (cute.sym_int(),))
compiled = cute.compile(twice, vector, options="--gpu-arch sm_80")
compiled.export_to_c(".", "twice", function_prefix="twice")
with open("main.c", "w", encoding="utf-8") as file:
    file.write(MAIN)
(library,) = find_runtime_libraries()
subprocess.run(
    ["gcc", "-Wall", "-Werror", "-DCUTE_EXPORT_DEVICE=CUTE_DEVICE_SIMULATED",
     f"-I{find_runtime_headers()}", "main.c", "twice.o", library,
     f"-Wl,-rpath,{library.rpartition('/')[0]}", "-o", "main"],
    check=True,
)
subprocess.run(["./main"], check=True)
