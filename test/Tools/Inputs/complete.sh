# complete.sh TOOL WORD ...: what bash completes, where the last word is being written.
tool=$1
shift
eval "$("$tool" --completions=bash)"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
"_$tool"
echo "${COMPREPLY[@]}"
