# Writes a tool's --help as a manual page: its headings become sections, and the
# lines below them stay as they are.
get_filename_component(name ${TOOL} NAME)
string(TOUPPER ${name} title)
execute_process(COMMAND ${TOOL} --help OUTPUT_VARIABLE text
                COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\\" "\\e" text "${text}")
string(REPLACE "-" "\\-" text "${text}")
string(REGEX REPLACE "\n([.'])" "\n\\\\&\\1" text "${text}")
string(REGEX REPLACE "^OVERVIEW: ([^\n]*)" ".SH NAME\n${name} \\\\- \\1\n.nf"
       text "${text}")
string(REGEX REPLACE "\n\n([A-Z]+( [A-Z]+)*):\n"
       "\n.fi\n.SH \\1\n.nf\n" text "${text}")
string(REGEX REPLACE "\n\n([A-Z]+( [A-Z]+)*)(: |, )"
       "\n.fi\n.SH \\1\n.nf\n" text "${text}")
string(REGEX REPLACE "\n\n([A-Z]+( [A-Z]+)*)( [(])"
       "\n.fi\n.SH \\1\n.nf\n(" text "${text}")
string(REPLACE ".SH USAGE" ".SH SYNOPSIS" text "${text}")
file(WRITE ${OUTPUT}
     ".TH ${title} 1 \"\" \"cute ${VERSION}\"\n${text}.fi\n")
