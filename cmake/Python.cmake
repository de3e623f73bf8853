# The Python package `cute`: its extension module, for all Pythons from 3.10 on,
# and its sources, side by side in BUILD/python, which PYTHONPATH may name.

find_path(CUTE_PYTHON_INCLUDE Python.h PATH_SUFFIXES python3.13 python3.12
          python3.11 python3.10)
if(NOT CUTE_PYTHON_INCLUDE)
  message(STATUS "Python.h was not found: without the Python package "
                 "(apt-get install python3-dev)")
  return()
endif()

file(GLOB bridge_sources CONFIGURE_DEPENDS
     ${CMAKE_SOURCE_DIR}/python/bridge/*.c)
add_library(cute-python MODULE ${bridge_sources})
target_include_directories(cute-python SYSTEM PRIVATE ${CUTE_PYTHON_INCLUDE})
target_link_libraries(cute-python PRIVATE cute cute-run-library
                      CuteMlirOptions)
set_target_properties(cute-python PROPERTIES
  PREFIX "" OUTPUT_NAME _bridge.abi3
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/cute
  BUILD_RPATH "$ORIGIN/../../lib")

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/python/cute)

# Links to the sources, so that changes need no build.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/python/cute)
file(GLOB python_sources CONFIGURE_DEPENDS
     RELATIVE ${CMAKE_SOURCE_DIR}/python/cute
     ${CMAKE_SOURCE_DIR}/python/cute/*)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/python/cute)
file(GLOB links ${CMAKE_BINARY_DIR}/python/cute/*)
foreach(link ${links}) # to what is no more
  if(IS_SYMLINK ${link} AND NOT EXISTS ${link})
    file(REMOVE ${link})
  endif()
endforeach()
foreach(source ${python_sources})
  if(NOT source STREQUAL "__pycache__")
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/python/cute/${source}
         ${CMAKE_BINARY_DIR}/python/cute/${source} SYMBOLIC)
  endif()
endforeach()
