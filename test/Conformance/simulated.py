"""Kernels on the device that is simulated, called through its driver in libcute."""
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile


class Memory:
    """Bytes that kernels and Python share, at a multiple of 256."""

    def __init__(self, driver, size):
        self.size = size
        self.raw = ctypes.create_string_buffer(size + 256)
        offset = -ctypes.addressof(self.raw) % 256
        self.view = memoryview(self.raw).cast("B")[offset:offset + size]
        self.address = ctypes.addressof(self.raw) + offset
        driver.call("cuMemHostRegister_v2", ctypes.c_void_p(self.address),
                    ctypes.c_size_t(size), 0)

    def fill(self, value):
        ctypes.memset(self.address, value, self.size)

    def at(self, offset):
        """The address of a byte, as an argument."""
        return ctypes.c_void_p(self.address + offset)

    def elements(self, code, begin=0, end=None):
        """Elements of a type of struct's ("i", "e") in a range of bytes."""
        return self.view[begin:end].cast(code)


SCHEDULES = 7  # in which threads run and copies arrive, one launch after another


class Driver:
    def __init__(self, cutec):
        folder = os.path.dirname(os.path.realpath(shutil.which(cutec)))
        self.library = ctypes.CDLL(os.path.join(folder, "..", "lib", "libcute.so"))
        self.library.cuteSimulatorFind.restype = ctypes.c_void_p
        self.launches = 0

    def call(self, name, *arguments):
        """Calls a function of CUDA's driver; what it fails with ends the program."""
        address = self.library.cuteSimulatorFind(name.encode())
        error = ctypes.CFUNCTYPE(ctypes.c_int)(address)(*arguments)
        if error:
            text = ctypes.c_char_p()
            self.call("cuGetErrorString", error, ctypes.byref(text))
            sys.exit(f"{name}: {text.value.decode()}")

    def choose_schedule(self):
        """Lets the next launch run in another order than the last."""
        self.call("cuteSimulatorSetOption", b"schedule",
                  str(self.launches % SCHEDULES).encode())
        self.launches += 1


class Kernels:
    """A module, or a list of texts of gpu.funcs, compiled after `passes`; what the
    compiler says is appended to `log`."""

    def __init__(self, driver, cutec, texts, passes="", arch="sm_80", log=None):
        self.driver = driver
        source = texts if isinstance(texts, str) else \
            "gpu.module @m {\n%s}\n" % "".join(texts)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kernels")
            with open(path + ".mlir", "w", encoding="utf-8") as file:
                file.write(source)
            done = subprocess.run(
                [cutec, path + ".mlir", "--emit=llvm", "-o", path + ".ll",
                 f"--arch={arch}"]
                + ([f"--passes={passes}"] if passes else []),
                stderr=subprocess.PIPE if log is not None else None, text=True,
                check=False)
            if done.returncode:
                sys.exit(f"cutec {passes} gives {done.returncode}: {done.stderr}")
            if log is not None:
                log.append(done.stderr)
            with open(path + ".ll", "rb") as file:
                code = file.read()
            with open(path + ".json", encoding="utf-8") as file:
                manifest = json.load(file)
        self.shared = {k["name"]: k.get("dynamic_shared_bytes", 0)
                       for k in manifest["kernels"]}
        self.module = ctypes.c_void_p()
        driver.call("cuModuleLoadDataEx", ctypes.byref(self.module),
                    ctypes.c_char_p(code), 0, None, None)

    def launch(self, name, threads, *arguments, grid=(1, 1, 1)):
        """Runs blocks of threads; arguments are of ctypes."""
        function = ctypes.c_void_p()
        self.driver.call("cuModuleGetFunction", ctypes.byref(function), self.module,
                         ctypes.c_char_p(name.encode()))
        pointers = (ctypes.c_void_p * len(arguments))(
            *(ctypes.addressof(a) for a in arguments))
        self.driver.choose_schedule()
        self.driver.call("cuLaunchKernel", function, *grid, threads, 1, 1,
                         self.shared[name], None, pointers, None)

    def unload(self):
        self.driver.call("cuModuleUnload", self.module)
