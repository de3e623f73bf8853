# Of dialect/cute.irdl.mlir, in the order of their names: op_ids.def has
# CUTE_OP(COPY_IF, "copy_if") for each op, op_groups.def CUTE_OP_GROUP(Copy) for each
# group of them.

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

file(STRINGS dialect/cute.irdl.mlir groups REGEX "^ +group = \"")
list(TRANSFORM groups REPLACE "^ +group = \"([A-Za-z]+)\".*" "\\1")
list(REMOVE_DUPLICATES groups)
list(SORT groups)
list(TRANSFORM groups REPLACE "(.+)" "CUTE_OP_GROUP(\\1)\n")
list(JOIN groups "" op_groups)
file(CONFIGURE OUTPUT op_groups.def CONTENT "${op_groups}" @ONLY)
