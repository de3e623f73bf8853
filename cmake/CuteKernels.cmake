# cute_add_kernels(TARGET FILE.mlir ... [ARCHS sm_80 sm_90a ...] [EMBED ptx|cubin|fatbin]
#                  [OPTIONS option ...])
#
# Compiles kernels by cutec --emit=c into a static library TARGET: programs that link
# it include FILE.h, and launch the kernels by Cute::run, without a compiler. The
# files are compiled again when they, or cutec, change. Several architectures are for
# EMBED fatbin. The variable Cute_CUTEC says where cutec is.
function(cute_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EMBED" "ARCHS;OPTIONS")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.kernels)
  file(MAKE_DIRECTORY ${folder})
  set(options ${arg_OPTIONS})
  if(arg_EMBED)
    list(APPEND options --embed=${arg_EMBED})
  endif()
  if(arg_ARCHS)
    list(JOIN arg_ARCHS "," archs)
    list(APPEND options --arch=${archs})
  endif()
  set(sources "")
  foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(input ${file} ABSOLUTE)
    get_filename_component(name ${file} NAME_WLE)
    set(output ${folder}/${name})
    add_custom_command(OUTPUT ${output}.c ${output}.h
      COMMAND ${Cute_CUTEC} ${input} --emit=c -o ${output}.c
              --depfile=${output}.d ${options}
      DEPENDS ${input} ${Cute_CUTEC} DEPFILE ${output}.d VERBATIM
      COMMENT "Compiling kernels of ${name}")
    list(APPEND sources ${output}.c ${output}.h)
  endforeach()
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${folder})
  target_link_libraries(${target} PUBLIC Cute::run)
endfunction()
