"""Compiles kernels for this machine, and runs them."""
import os
import subprocess
import sys
import tempfile


def run_kernels(cutec, simulate, kernels, driver, *options, passes="", arch="sm_80",
                log=None):
    """The lines that a program prints which calls kernels: `kernels` are texts of
    gpu.funcs, `driver` gives the program's C text from the folder of simulate.h.
    Options are for simulate.py and the C compiler. `passes` are run before lowering;
    what the compiler says is appended to `log`."""
    inputs = os.path.dirname(os.path.abspath(simulate))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernels")
        with open(path + ".mlir", "w", encoding="utf-8") as file:
            file.write("gpu.module @m {\n%s}\n" % "".join(kernels))
        with open(path + ".c", "w", encoding="utf-8") as file:
            file.write(driver(inputs))
        done = subprocess.run(
            [cutec, path + ".mlir", "--emit=llvm", "-o", path + ".ll",
             "--no-manifest", f"--arch={arch}"]
            + ([f"--passes={passes}"] if passes else []),
            stderr=subprocess.PIPE if log is not None else None, text=True,
            check=False)
        if done.returncode:
            sys.exit(f"cutec {passes} gives {done.returncode}: {done.stderr}")
        if log is not None:
            log.append(done.stderr)
        subprocess.run([sys.executable, simulate, path + ".ll", path + ".c", path,
                        *options], check=True)
        return subprocess.run([path], check=True, capture_output=True,
                              text=True).stdout.splitlines()
