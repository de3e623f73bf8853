# libcute-algebra: Support, Hardware, Algebra and the calculator without its command
# line. Shared and static, it needs nothing but the C library, and shows the functions
# of the public headers only.

file(GLOB_RECURSE calculator_sources CONFIGURE_DEPENDS lib/Calculator/*.c)
set(calculator_tool_sources ${calculator_sources})
set(tool_pattern "/Calculator/tool/")
list(FILTER calculator_sources EXCLUDE REGEX ${tool_pattern})
list(FILTER calculator_tool_sources INCLUDE REGEX ${tool_pattern})
cute_embed_text(page_style.c cutePageStyle lib/Calculator/pictures/picture_page.css)
cute_embed_text(picture_dark.c cutePictureDark lib/Calculator/pictures/picture_dark.css)
cute_embed_text(page_script.c cutePageScript lib/Calculator/pictures/picture_page.js)
add_library(CuteCalculator OBJECT ${calculator_sources}
  ${CMAKE_BINARY_DIR}/page_style.c ${CMAKE_BINARY_DIR}/page_script.c
  ${CMAKE_BINARY_DIR}/picture_dark.c)
target_link_libraries(CuteCalculator PRIVATE CuteOptions)

set(algebra_objects $<TARGET_OBJECTS:CuteSupport>
  $<TARGET_OBJECTS:CuteHardware> $<TARGET_OBJECTS:CuteAlgebra>)

if(EMSCRIPTEN)
  return()
endif()

# The library has no function that fails with a status.
set(algebra_library_objects
  $<FILTER:$<TARGET_OBJECTS:CuteSupport>,EXCLUDE,/\(status|file|formula|command_line|option_[a-z]+\)\\.c>
  $<TARGET_OBJECTS:CuteHardware> $<TARGET_OBJECTS:CuteAlgebra>
  $<TARGET_OBJECTS:CuteInference> $<TARGET_OBJECTS:CuteCalculator>)

add_library(cute-algebra SHARED ${algebra_library_objects})
cute_shared_library(cute-algebra algebra cute.map)

# The archive has one object, in which hidden functions became local: so they
# cannot clash with those of a program that links it.
add_custom_command(
  OUTPUT cute-algebra.o
  COMMAND ${CMAKE_LINKER} -r -o cute-algebra.o ${algebra_library_objects}
  COMMAND ${CMAKE_OBJCOPY} --localize-hidden cute-algebra.o
  DEPENDS ${algebra_library_objects}
  COMMAND_EXPAND_LISTS)
add_library(cute-algebra-static STATIC ${CMAKE_BINARY_DIR}/cute-algebra.o)
set_target_properties(cute-algebra-static PROPERTIES
  OUTPUT_NAME cute-algebra EXPORT_NAME algebra-static LINKER_LANGUAGE C)
target_include_directories(cute-algebra-static INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
