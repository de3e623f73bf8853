# cmake --install build/release --prefix DIRECTORY: everything; with --component
# algebra or run, that library alone; with --component static, libcute.a, which the target
# cute-static makes. The target `uninstall` takes it away again.

set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Cute)
set(share_dir ${CMAKE_INSTALL_DATADIR}/cute)
file(RELATIVE_PATH CUTE_PREFIX_FROM_PC
     /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)

# Where <mlir-c/*.h> is for programs outside: cmake/Bundle.cmake installs it along.
set(CUTE_MLIR_HEADERS ${CUTE_LLVM_INCLUDE})
if(CUTE_LLVM STREQUAL static)
  set(CUTE_MLIR_HEADERS "\${includedir}/cute-mlir")
endif()

# cute_install_library(COMPONENT targets...): with what CMake and pkg-config say
# of it to programs outside.
function(cute_install_library component pc)
  install(TARGETS ${ARGN} EXPORT Cute-${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
  install(EXPORT Cute-${component} NAMESPACE Cute:: COMPONENT ${component}
          DESTINATION ${cmake_dir})
  configure_file(cmake/${pc}.pc.in ${pc}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${pc}.pc COMPONENT ${component}
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  install(FILES ${CMAKE_BINARY_DIR}/CuteConfig.cmake
                ${CMAKE_BINARY_DIR}/CuteConfigVersion.cmake
          COMPONENT ${component} DESTINATION ${cmake_dir})
  install(FILES LICENSE COMPONENT ${component}
          DESTINATION ${CMAKE_INSTALL_DOCDIR})
endfunction()

# cute_install_headers(COMPONENT names...)
function(cute_install_headers component)
  list(TRANSFORM ARGN PREPEND include/cute/)
  list(TRANSFORM ARGN APPEND .h)
  install(FILES ${ARGN} COMPONENT ${component}
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cute)
endfunction()

# cute_install_text(COMPONENT tool option file folder): what the tool prints.
function(cute_install_text component tool option file folder)
  set(output ${CMAKE_BINARY_DIR}/printed/${file})
  add_custom_command(OUTPUT ${output} DEPENDS ${tool}
    COMMAND ${tool} ${option} >${output})
  target_sources(${tool}-texts PRIVATE ${output})
  install(FILES ${output} COMPONENT ${component}
          DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/${folder})
endfunction()

# cute_install_tool(COMPONENT tool): with its manual page, and completions for
# bash, zsh and fish.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/printed)
function(cute_install_tool component tool)
  install(TARGETS ${tool} COMPONENT ${component})
  add_custom_target(${tool}-texts ALL)
  cute_install_text(${component} ${tool} --manual ${tool}.1 man/man1)
  cute_install_text(${component} ${tool} --completions=bash ${tool}
                    bash-completion/completions)
  cute_install_text(${component} ${tool} --completions=zsh _${tool}
                    zsh/site-functions)
  cute_install_text(${component} ${tool} --completions=fish ${tool}.fish
                    fish/vendor_completions.d)
endfunction()

include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/CuteConfig.cmake.in CuteConfig.cmake
  INSTALL_DESTINATION ${cmake_dir} NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(CuteConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

cute_install_library(algebra cute-algebra cute-algebra cute-algebra-static)
cute_install_headers(algebra Calculator Support Context IntTuple Layout ElementType Arch
                     Atom Tma Type Pipeline Laws Explain Version)
if(TARGET cute-layout)
  cute_install_tool(algebra cute-layout)
endif()
if(TARGET cute-run-library)
  cute_install_library(run cute-run cute-run-library)
  install(FILES cmake/CuteKernels.cmake COMPONENT run DESTINATION ${cmake_dir})
  cute_install_headers(run Support ElementType Status Run Host Version)
endif()
if(NOT CUTE_ALGEBRA_ONLY)
  cute_install_library(compiler cute cute)
  cute_install_headers(compiler Assembly Cache Cute Diagnostics Dialect Driver Jit Kernels MlirContext
                       ModuleBuilder Operation Passes Simulator Target TvmFfi)
  if(CUTE_LLVM STREQUAL static)
    install(TARGETS cute-static EXPORT Cute-static
      DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT static EXCLUDE_FROM_ALL)
    install(EXPORT Cute-static NAMESPACE Cute:: COMPONENT static
      DESTINATION ${cmake_dir} EXCLUDE_FROM_ALL)
  endif()
  foreach(tool cute-opt cutec cute-lsp)
    set_target_properties(${tool} PROPERTIES
      INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN/..")
    cute_install_tool(compiler ${tool})
  endforeach()
  cute_install_tool(run cute-run)
  install(PROGRAMS python/cute_tune.py COMPONENT run RENAME cute-tune
          DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES python/cute-tune.1 COMPONENT run
          DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES dialect/cute.irdl.mlir COMPONENT compiler
          DESTINATION ${share_dir}/dialect)
  install(DIRECTORY kernels COMPONENT compiler DESTINATION ${share_dir}
          FILES_MATCHING PATTERN *.json PATTERN kernel.py
                         PATTERN hardware.py PATTERN __pycache__ EXCLUDE)
  install(DIRECTORY examples editors COMPONENT compiler DESTINATION ${share_dir})
endif()

if(CUTE_LLVM STREQUAL static)
  include(cmake/Bundle.cmake)
endif()
if(TARGET cute-python)
  include(cmake/Wheel.cmake)
endif()

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND}
  -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt
  -P ${CMAKE_SOURCE_DIR}/cmake/uninstall_script.cmake)

include(cmake/Package.cmake)
