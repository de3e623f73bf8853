// The functions of C, declared by hand.
use std::ffi::{c_char, c_int, c_uint, c_void};

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

#[link(name = "cute")]
extern "C" {
    fn cuteMlirContextCreate() -> Handle;
    fn cuteMlirContextDestroy(context: Handle);
    fn cuteModuleParse(context: Handle, text: StringRef, name: StringRef) -> Handle;
    fn cuteModuleCompile(module: Handle, options: *const CompileOptions,
        callback: extern "C" fn(StringRef, *mut c_void), data: *mut c_void,
        times: *mut c_void) -> i8;
    fn mlirModuleDestroy(module: Handle);
}

extern "C" fn take(piece: StringRef, ptx: *mut c_void) {
    let bytes = unsafe { std::slice::from_raw_parts(piece.data, piece.length) };
    unsafe { (*(ptx as *mut Vec<u8>)).extend_from_slice(bytes) }
}

fn text(of: &str) -> StringRef {
    StringRef { data: of.as_ptr(), length: of.len() }
}

fn main() {
    let kernel = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let mut ptx: Vec<u8> = Vec::new();
    let options = CompileOptions { size: std::mem::size_of::<CompileOptions>(),
        arch: "sm_80\0".as_ptr() as *const c_char, emit: 3, opt_level: 2 };
    let done = unsafe {
        let context = cuteMlirContextCreate();
        let module = cuteModuleParse(context, text(&kernel), text("kernel"));
        assert!(!module.0.is_null());
        let done = cuteModuleCompile(module, &options, take,
            &mut ptx as *mut Vec<u8> as *mut c_void, std::ptr::null_mut());
        mlirModuleDestroy(module);
        cuteMlirContextDestroy(context);
        done
    };
    assert!(done != 0);
    print!("{}", String::from_utf8(ptx).unwrap());
}
