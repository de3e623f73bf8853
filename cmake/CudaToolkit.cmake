# Where ptxas, fatbinary and nvdisasm are taken from if neither the PATH, $CUDA_HOME nor
# $CUDA_PATH leads to them when the library runs: the CUDA Toolkit of the machine that
# builds it, where there is one (-DCUDAToolkit_ROOT= says which). Nothing is linked.
if(NOT DEFINED CUTE_CUDA_BIN)
  find_package(CUDAToolkit QUIET)
  find_program(CUTE_PTXAS ptxas HINTS ${CUDAToolkit_BIN_DIR} NO_DEFAULT_PATH
               NO_CACHE)
  set(folder "")
  if(CUDAToolkit_FOUND AND CUTE_PTXAS)
    cmake_path(GET CUTE_PTXAS PARENT_PATH folder)
  endif()
  set(CUTE_CUDA_BIN "${folder}" CACHE PATH
      "Folder of the CUDA Toolkit's programs; empty for none of this machine's")
endif()
