# cute_embed_text(output.c symbol input): the file as a C string.

set(CUTE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/embed_text_script.cmake)

function(cute_embed_text output symbol input)
  get_filename_component(input ${input} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  add_custom_command(
    OUTPUT ${CMAKE_BINARY_DIR}/${output}
    COMMAND ${CMAKE_COMMAND}
            -DINPUT=${input}
            -DOUTPUT=${CMAKE_BINARY_DIR}/${output}
            -DSYMBOL=${symbol} -P ${CUTE_EMBED_SCRIPT}
    DEPENDS ${input} ${CUTE_EMBED_SCRIPT})
endfunction()
