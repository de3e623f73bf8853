# Tables of the dialect's types and ops, from dialect/cute.irdl.mlir: what
# tools/dialect_tables.py says.

find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(pure_groups Access Construction Index LayoutAlgebra Modes Partition Tiled Tiling
    TupleArithmetic)
list(JOIN pure_groups "," pure_names)
file(GLOB calculator_rows CONFIGURE_DEPENDS
     lib/Calculator/operations/operations_*.def)
set(table_makers declarations dialect_page dialect_tables)
list(TRANSFORM table_makers REPLACE "(.+)" "tools/\\1.py")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             dialect/cute.irdl.mlir ${calculator_rows} ${table_makers})
execute_process(
  COMMAND ${Python3_EXECUTABLE} -B tools/dialect_tables.py dialect/cute.irdl.mlir
          ${CMAKE_BINARY_DIR} ${pure_names} ${calculator_rows}
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} COMMAND_ERROR_IS_FATAL ANY)
