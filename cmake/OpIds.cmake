# op_ids.def: CUTE_OP(COPY_IF, "copy_if") for each op of dialect/cute.irdl.mlir, in
# the order of their names.

set_property(DIRECTORY APPEND PROPERTY
  CMAKE_CONFIGURE_DEPENDS dialect/cute.irdl.mlir)
file(STRINGS dialect/cute.irdl.mlir op_lines REGEX "^  irdl\\.operation @")
list(TRANSFORM op_lines REPLACE "^  irdl\\.operation @([a-z0-9_]+).*" "\\1")
list(SORT op_lines)
set(op_ids "")
foreach(name IN LISTS op_lines)
  string(TOUPPER ${name} id)
  string(APPEND op_ids "CUTE_OP(${id}, \"${name}\")\n")
endforeach()
file(CONFIGURE OUTPUT op_ids.def CONTENT "${op_ids}" @ONLY)
