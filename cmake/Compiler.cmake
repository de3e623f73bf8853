# libcute: everything that needs MLIR, for embedding. It shows cute*, and all of
# MLIR's C API, which Debian has in archives only: programs link libcute alone.

cute_embed_text(dialect_text.c cuteDialectText ${CMAKE_BINARY_DIR}/split.irdl.mlir)
cute_embed_text(dialect_page.c cuteDialectPage ${CMAKE_BINARY_DIR}/Dialect.md)
cute_layer(IR ${CMAKE_BINARY_DIR}/dialect_text.c ${CMAKE_BINARY_DIR}/dialect_page.c)
cute_embed_text(math_text.c cuteMathText dialect/math.mlir)
cute_embed_text(math_nvptx_text.c cuteMathNvptxText dialect/math_nvptx.mlir)
cute_embed_text(rounding_text.c cuteRoundingText dialect/rounding.mlir)
cute_layer(Conversion ${CMAKE_BINARY_DIR}/math_text.c
                      ${CMAKE_BINARY_DIR}/math_nvptx_text.c
                      ${CMAKE_BINARY_DIR}/rounding_text.c)
cute_embed_text(report_style.c cuteReportStyle
                lib/SimulatedDevice/report/report_page.css)
cute_layer(SimulatedDevice ${CMAKE_BINARY_DIR}/report_style.c)
cute_embed_text(kernels_header.c cuteKernelsHeader lib/Package/kernels_header.txt)
cute_embed_text(kernels_source.c cuteKernelsSource lib/Package/kernels_source.txt)
cute_embed_text(export_header.c cuteExportHeader lib/Package/export_header.txt)
cute_layer(Package ${CMAKE_BINARY_DIR}/kernels_header.c ${CMAKE_BINARY_DIR}/kernels_source.c
                   ${CMAKE_BINARY_DIR}/export_header.c)
foreach(layer Text Lowering Ops Lanes Transforms Lint Jit Codegen Compile Prove Tools Server)
  cute_layer(${layer})
endforeach()
foreach(layer IR Text Lowering Ops Lanes Transforms Conversion Lint
        Jit Codegen Compile Prove Package Tools Server SimulatedDevice)
  target_link_libraries(Cute${layer} PRIVATE CuteMlirOptions)
  list(APPEND mlir_objects $<TARGET_OBJECTS:Cute${layer}>)
endforeach()

include(cmake/CudaToolkit.cmake)
if(CUTE_CUDA_BIN AND NOT CUTE_CUDA_BIN STREQUAL "/usr/local/cuda/bin")
  set_source_files_properties(lib/Compile/program_folder.c PROPERTIES
    COMPILE_DEFINITIONS "CUTE_CUDA_BIN=\"${CUTE_CUDA_BIN}\"")
endif()

list(APPEND mlir_objects $<TARGET_OBJECTS:CuteInference>
                         $<TARGET_OBJECTS:CuteSimulator>
                         $<TARGET_OBJECTS:CuteCalculator>)

add_library(cute SHARED ${algebra_objects} ${mlir_objects})
target_include_directories(cute SYSTEM PRIVATE ${CUTE_LLVM_INCLUDE})
target_link_libraries(cute PRIVATE -Wl,--whole-archive ${CUTE_MLIR_C_ARCHIVES}
  -Wl,--no-whole-archive CuteMlirLibraries ${CUTE_JANSSON_FOR_SHARED}
  Threads::Threads m)
cute_shared_library(cute cute ${CUTE_COMPILER_MAP})
# The same as an archive of one object, without LLVM: what links it adds LLVM's and
# MLIR's archives, as Cute::cute-static does.
add_custom_command(
  OUTPUT cute.o
  COMMAND ${CMAKE_LINKER} -r -o cute.o ${algebra_objects} ${mlir_objects}
  COMMAND ${CMAKE_OBJCOPY} --strip-debug --localize-hidden cute.o
  DEPENDS ${algebra_objects} ${mlir_objects}
  COMMAND_EXPAND_LISTS)
add_library(cute-static STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/cute.o)
set_target_properties(cute-static PROPERTIES OUTPUT_NAME cute LINKER_LANGUAGE C)
target_include_directories(cute-static INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

if(CUTE_LLVM STREQUAL shared)
  set_target_properties(cute PROPERTIES INSTALL_RPATH ${CUTE_LLVM_PREFIX}/lib)
endif()
