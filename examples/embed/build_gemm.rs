// Builds a GEMM for a tile of BM x BN x BK, as build_gemm.c does, and prints its PTX.
//
//   rustc -L DIRECTORY_OF_LIBCUTE examples/embed/build_gemm.rs
//   build_gemm BM BN BK
//
// BM and BN are 64 or 128, BK is 16, 32 or 64.
use std::ffi::{c_char, c_int, c_uint, c_void, CString};
use std::ptr::null;

/// MlirContext, MlirModule, MlirValue: structs of one pointer.
#[repr(C)]
#[derive(Clone, Copy)]
struct Handle(*mut c_void);

#[repr(C)]
struct StringRef {
    data: *const u8,
    length: usize,
}

/// The first fields: the size says that there are no others.
#[repr(C)]
struct CompileOptions {
    size: usize,
    arch: *const c_char,
    emit: c_int,
    opt_level: c_uint,
}

#[repr(C)]
struct NewOperation {
    name: *const c_char,
    num_operands: isize,
    operands: *const Handle,
    attributes: *const c_char,
    num_results: isize,
    results: *const Handle,
}

#[repr(C)]
struct NewKernel {
    name: *const c_char,
    num_parameters: isize,
    parameters: *const Handle,
    block: [i32; 3],
    cluster: [i32; 3],
    grid: [*const c_char; 3],
}

type Pointer = *mut c_void;
type Text = *const c_char;

#[link(name = "cute")]
extern "C" {
    fn cuteMlirContextCreate() -> Handle;
    fn cuteMlirContextDestroy(context: Handle);
    fn cuteModuleCompile(module: Handle, options: *const CompileOptions,
        callback: extern "C" fn(StringRef, Pointer), data: Pointer, times: Pointer) -> i8;
    fn cuteModuleBuilderCreate(location: Handle) -> Pointer;
    fn cuteModuleBuilderDestroy(builder: Pointer);
    fn cuteModuleBuilderTake(builder: Pointer) -> Handle;
    fn cuteModuleBuilderGetType(builder: Pointer, kind: Text) -> Handle;
    fn cuteModuleBuilderGetArgument(builder: Pointer, i: isize) -> Handle;
    fn cuteModuleBuilderAddOperation(builder: Pointer, new: *const NewOperation) -> Handle;
    fn cuteModuleBuilderAddAs(builder: Pointer, name: Text, kind: Text, count: isize,
        operands: *const Handle) -> Handle;
    fn cuteModuleBuilderAddInteger(builder: Pointer, kind: Text, value: i64) -> Handle;
    fn cuteModuleBuilderBeginKernel(builder: Pointer, kernel: *const NewKernel);
    fn cuteModuleBuilderBeginFor(builder: Pointer, lower: Handle, upper: Handle,
        step: Handle, count: isize, values: *const Handle) -> Handle;
    fn cuteModuleBuilderEnd(builder: Pointer, count: isize, values: *const Handle);
    fn mlirLocationUnknownGet(context: Handle) -> Handle;
    fn mlirModuleDestroy(module: Handle);
    fn mlirOperationGetNumResults(operation: Handle) -> isize;
    fn mlirOperationGetResult(operation: Handle, i: isize) -> Handle;
}

fn text(of: &str) -> CString {
    CString::new(of).unwrap()
}

/// A CuteModuleBuilder. Errors go to standard error, and take fails then.
struct Builder(Pointer);

impl Builder {
    /// Adds an operation; its results, or nulls where it failed.
    fn add_with(&self, name: &str, attributes: &str, operands: &[Handle]) -> [Handle; 3] {
        let (name, given) = (text(name), text(attributes));
        let new = NewOperation { name: name.as_ptr(), num_operands: operands.len() as isize,
            operands: operands.as_ptr(), num_results: 0, results: null(),
            attributes: if attributes.is_empty() { null() } else { given.as_ptr() } };
        let mut results = [Handle(std::ptr::null_mut()); 3];
        unsafe {
            let op = cuteModuleBuilderAddOperation(self.0, &new);
            let count = if op.0.is_null() { 0 } else { mlirOperationGetNumResults(op) };
            for i in 0..count {
                results[i as usize] = mlirOperationGetResult(op, i);
            }
        }
        results
    }

    fn add(&self, name: &str, operands: &[Handle]) -> Handle {
        self.add_with(name, "", operands)[0]
    }

    fn make(&self, name: &str, kind: &str, operands: &[Handle]) -> Handle {
        let (name, kind) = (text(name), text(kind));
        unsafe {
            cuteModuleBuilderAddAs(self.0, name.as_ptr(), kind.as_ptr(),
                operands.len() as isize, operands.as_ptr())
        }
    }

    /// A value that its type says: shape<"(4,8)">.
    fn fixed(&self, kind: &str) -> Handle {
        self.make("cute.static", &format!("!cute.{kind}"), &[])
    }

    fn integer(&self, value: i64) -> Handle {
        unsafe { cuteModuleBuilderAddInteger(self.0, text("i32").as_ptr(), value) }
    }

    fn end(&self) {
        unsafe { cuteModuleBuilderEnd(self.0, 0, null()) }
    }

    fn shared(&self, rows: i32, columns: i32) -> Handle {
        let layout = self.fixed(&format!("layout<\"({rows},{columns}):({columns},1)\">"));
        self.add_with("cute.alloc_smem", "{element = f16, align = 128 : i32}", &[layout])[0]
    }

    /// A copy of 16 bytes a thread, by rows.
    fn by_rows(&self, atom: &str, columns: i32) -> Handle {
        let (rows, lanes) = (1024 / columns, columns / 8);
        let atom = self.fixed(atom);
        let threads = self.fixed(&format!("layout<\"({rows},{lanes}):({lanes},1)\">"));
        let values = self.fixed("layout<\"(1,8):(0,1)\">");
        self.add("cute.make_tiled_copy", &[atom, threads, values])
    }

    /// This thread's part of the tile of a matrix, and what of it lies in the matrix.
    fn part(&self, name: &str, copy: Handle, matrix: Handle, tile: (i32, i32),
            at: (Handle, Handle), thread: Handle) -> [Handle; 3] {
        let shape = self.fixed(&format!("shape<\"({},{})\">", tile.0, tile.1));
        let coord = self.make("cute.make_coord", "!cute.coord<\"(?,?)\">", &[at.0, at.1]);
        self.add_with(name, "", &[copy, matrix, shape, coord, thread])
    }

    fn begin_kernel(&self, bm: i32, bn: i32) -> [Handle; 3] {
        let kind = text("!cute.tensor<f16, gmem, align<16>, \"(?,?{div=8}):(?{i64 div=8},1)\">");
        let (name, zero) = (text("gemm"), null());
        let grid_m = text(&format!("ceil_div(arg2.shape[0], {bm})"));
        let grid_n = text(&format!("ceil_div(arg2.shape[1], {bn})"));
        unsafe {
            let matrix = cuteModuleBuilderGetType(self.0, kind.as_ptr());
            let parameters = [matrix; 3];
            let kernel = NewKernel { name: name.as_ptr(), num_parameters: 3,
                parameters: parameters.as_ptr(), block: [128, 0, 0], cluster: [0; 3],
                grid: [grid_m.as_ptr(), grid_n.as_ptr(), zero] };
            cuteModuleBuilderBeginKernel(self.0, &kernel);
            [0, 1, 2].map(|i| cuteModuleBuilderGetArgument(self.0, i))
        }
    }

    /// C = A * transpose(B), as examples/gemm_plain.mlir has it.
    fn gemm(&self, bm: i32, bn: i32, bk: i32) {
        let [a, b, c] = self.begin_kernel(bm, bn);
        let block_m = self.add("cute.block_idx", &[]);
        let block_n = self.add_with("cute.block_idx", "{dim = \"y\"}", &[])[0];
        let thread = self.add("cute.thread_idx", &[]);
        let (shared_a, shared_b) = (self.shared(bm, bk), self.shared(bn, bk));
        let mma_atom = self.fixed("mma_atom<\"SM80_16x8x16_F32F16F16F32_TN\">");
        let warps = self.fixed("layout<\"(2,2,1):(1,2,0)\">");
        let mma = self.add("cute.make_tiled_mma",
            &[mma_atom, warps, self.fixed("shape<\"(32,32,16)\">")]);
        let part_a = self.add("cute.partition_a", &[mma, shared_a, thread]);
        let part_b = self.add("cute.partition_b", &[mma, shared_b, thread]);
        let fragment_a = self.add("cute.make_fragment_a", &[mma, part_a]);
        let fragment_b = self.add("cute.make_fragment_b", &[mma, part_b]);
        let shape = self.fixed(&format!("shape<\"({bm},{bn})\">"));
        let part_c = self.add("cute.partition_shape_c", &[mma, shape]);
        let sum = self.add_with("cute.make_fragment", "{element = f32}", &[part_c])[0];
        self.add("cute.clear", &[sum]);

        let load = self.by_rows(
            "copy_atom<\"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>\", f16>", bk);
        let store_a = self.add("cute.partition_d", &[load, shared_a, thread]);
        let store_b = self.add("cute.partition_d", &[load, shared_b, thread]);
        let ldmatrix = self.fixed("copy_atom<\"SM75_U32x4_LDSM_N\", f16>");
        let copy_a = self.add("cute.make_tiled_copy_a", &[ldmatrix, mma]);
        let copy_b = self.add("cute.make_tiled_copy_b", &[ldmatrix, mma]);
        let from_a = self.add("cute.partition_s", &[copy_a, shared_a, thread]);
        let from_b = self.add("cute.partition_s", &[copy_b, shared_b, thread]);
        let to_a = self.add("cute.retile", &[copy_a, fragment_a]);
        let to_b = self.add("cute.retile", &[copy_b, fragment_b]);

        let layout = self.add("cute.get_layout", &[a]);
        let extent = self.add_with("cute.get_scalars", "{only_dynamic}", &[layout])[1];
        let tiles = self.add("arith.ceildivui", &[extent, self.integer(bk as i64)]);
        let (zero, one) = (self.integer(0), self.integer(1));
        let k = unsafe { cuteModuleBuilderBeginFor(self.0, zero, tiles, one, 0, null()) };
        let tile = "cute.predicated_tile_s";
        let tile_a = self.part(tile, load, a, (bm, bk), (block_m, k), thread);
        let tile_b = self.part(tile, load, b, (bn, bk), (block_n, k), thread);
        self.add("cute.copy", &[load, tile_a[0], store_a, tile_a[1]]);
        self.add("cute.copy", &[load, tile_b[0], store_b, tile_b[1]]);
        self.add("cute.cp_async_commit", &[]);
        self.add_with("cute.cp_async_wait", "{n = 0 : i32}", &[]);
        self.add("gpu.barrier", &[]);
        self.add("cute.copy", &[copy_a, from_a, to_a]);
        self.add("cute.copy", &[copy_b, from_b, to_b]);
        self.add("cute.gemm", &[mma, sum, fragment_a, fragment_b, sum]);
        self.add("gpu.barrier", &[]);
        self.end();

        let half = self.add_with("cute.make_fragment_like", "{element = f16}", &[sum])[0];
        self.add("cute.convert", &[sum, half]);
        let shared_c = self.shared(bm, bn);
        let pair = self.fixed("copy_atom<\"UniversalCopy<uint32_t>\", f16>");
        let store = self.add("cute.make_tiled_copy_c", &[pair, mma]);
        let to_c = self.add("cute.partition_d", &[store, shared_c, thread]);
        let from_c = self.add("cute.retile", &[store, half]);
        self.add("cute.copy", &[store, from_c, to_c]);
        self.add("gpu.barrier", &[]);
        let rows = self.by_rows("copy_atom<\"UniversalCopy<uint128_t>\", f16>", 64);
        let read = self.add("cute.partition_s", &[rows, shared_c, thread]);
        let tile_c = self.part("cute.predicated_tile_d", rows, c, (bm, bn),
            (block_m, block_n), thread);
        let registers = self.add("cute.make_fragment_like", &[read]);
        self.add("cute.copy", &[rows, read, registers]);
        self.add("cute.copy", &[rows, registers, tile_c[0], tile_c[1]]);
        self.end();
    }
}

extern "C" fn take(piece: StringRef, ptx: Pointer) {
    let bytes = unsafe { std::slice::from_raw_parts(piece.data, piece.length) };
    unsafe { (*(ptx as *mut Vec<u8>)).extend_from_slice(bytes) }
}

fn main() {
    let tile: Vec<i32> = std::env::args().skip(1).map(|n| n.parse().unwrap()).collect();
    let mut ptx: Vec<u8> = Vec::new();
    let arch = text("sm_80");
    let options = CompileOptions { size: std::mem::size_of::<CompileOptions>(),
        arch: arch.as_ptr(), emit: 3, opt_level: 2 };
    let done = unsafe {
        let context = cuteMlirContextCreate();
        let builder = Builder(cuteModuleBuilderCreate(mlirLocationUnknownGet(context)));
        builder.gemm(tile[0], tile[1], tile[2]);
        let module = cuteModuleBuilderTake(builder.0);
        cuteModuleBuilderDestroy(builder.0);
        let done = !module.0.is_null() && cuteModuleCompile(module, &options, take,
            &mut ptx as *mut Vec<u8> as Pointer, std::ptr::null_mut()) != 0;
        if !module.0.is_null() {
            mlirModuleDestroy(module);
        }
        cuteMlirContextDestroy(context);
        done
    };
    assert!(done);
    print!("{}", String::from_utf8(ptx).unwrap());
}
