# Run by CPack once a package is made (CPACK_POST_BUILD_SCRIPTS). CPack's Installed-Size
# counts what a symbolic link leads to once for each link, so that libcute.so is there
# three times; here it is what dpkg-gencontrol computes: KiB of each file, rounded up,
# and one for each link and folder.
cmake_minimum_required(VERSION 3.21)

function(cute_installed_size folder result)
  file(GLOB_RECURSE paths LIST_DIRECTORIES true "${folder}/*")
  set(total 0)
  foreach(path ${paths})
    set(size 1)
    if(NOT IS_SYMLINK "${path}" AND NOT IS_DIRECTORY "${path}")
      file(SIZE "${path}" size)
      math(EXPR size "(${size} + 1023) / 1024")
    endif()
    math(EXPR total "${total} + ${size}")
  endforeach()
  set(${result} ${total} PARENT_SCOPE)
endfunction()

# A .deb is an archive of ar, in which control.tar.gz has the file `control`.
function(cute_set_installed_size package size)
  set(folder "${CPACK_TEMPORARY_DIRECTORY}/cute-control")
  file(MAKE_DIRECTORY "${folder}/files")
  execute_process(COMMAND ar x "${package}" control.tar.gz
    WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND tar xzf "${folder}/control.tar.gz"
    WORKING_DIRECTORY "${folder}/files" COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${folder}/files/control" text)
  string(REGEX REPLACE "Installed-Size: [0-9]+" "Installed-Size: ${size}" text "${text}")
  file(WRITE "${folder}/files/control" "${text}")
  execute_process(
    COMMAND tar czf "${folder}/control.tar.gz" --owner=0 --group=0 --numeric-owner .
    WORKING_DIRECTORY "${folder}/files" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ar r "${package}" control.tar.gz
    WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE "${folder}")
endfunction()

foreach(package ${CPACK_PACKAGE_FILES})
  if(package MATCHES "[.]deb$")
    cute_installed_size("${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}" size)
    cute_set_installed_size("${package}" ${size})
  endif()
endforeach()
