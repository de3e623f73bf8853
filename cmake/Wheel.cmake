# cmake --install BUILD --component python --strip --prefix FOLDER: the Python package
# for PYTHONPATH=FOLDER, with its libraries in it; python/build_backend.py zips it.
# It is no part of other installations.

set_target_properties(cute-python PROPERTIES INSTALL_RPATH "$ORIGIN")
set(component COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS cute-python cute cute-run-library
        LIBRARY DESTINATION cute ${component} NAMELINK_SKIP)
# The programs, which python/cute/_programs.py runs.
install(TARGETS cutec cute-opt cute-lsp cute-run cute-layout
        RUNTIME DESTINATION cute/bin ${component})
install(DIRECTORY python/cute DESTINATION . ${component}
        FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed
        PATTERN __pycache__ EXCLUDE PATTERN text EXCLUDE
        PATTERN tuned EXCLUDE)
install(DIRECTORY kernels/tuned DESTINATION cute/kernels ${component}
        FILES_MATCHING PATTERN *.json PATTERN problems.json EXCLUDE)
install(DIRECTORY examples/ DESTINATION cute/kernels/text ${component}
        FILES_MATCHING PATTERN *.mlir PATTERN python EXCLUDE
        PATTERN tutorial EXCLUDE PATTERN distributed EXCLUDE)
# What headers of exported functions include.
foreach(header Host Run ElementType Status Support)
  install(FILES include/cute/${header}.h DESTINATION cute/include/cute ${component})
endforeach()
if(CUTE_LLVM STREQUAL static)
  install(FILES ${jansson} RENAME libjansson.so.4 DESTINATION cute ${component})
  set_target_properties(cute-run-library PROPERTIES INSTALL_RPATH "$ORIGIN/cute;$ORIGIN")
  cute_install_licences(python cute/licences EXCLUDE_FROM_ALL)
endif()
