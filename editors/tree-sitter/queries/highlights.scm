(comment) @comment
(string) @string
(number) @number
(boolean) @boolean
(value) @variable
(symbol) @function
(type_name) @type
(attribute_name) @attribute
(label) @label
(parameter) @constant
(op_name) @function.call
(keyword) @keyword
(operator) @operator

(function name: (symbol) @function)
(function parameters: (parentheses (value) @variable.parameter))
(loop variable: (value) @variable)

["module" "gpu.module" "func.func" "gpu.func"] @keyword.function
["for" "in"] @keyword.repeat
["if" "else"] @keyword.conditional
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
"=" @operator

((identifier) @type.builtin
  (#match? @type.builtin "^(index|none|bf16|tf32|[if][0-9]+[A-Za-z0-9]*|[su]i[0-9]+|vector|tensor|memref|tuple)$"))
((identifier) @constant.builtin
  (#match? @constant.builtin "^(gmem|smem|rmem|tmem|dsmem|unit)$"))
((identifier) @keyword.operator
  (#match? @keyword.operator "^(and|or|not|xor|mod[su]?|(ceil|floor)div[su]?)$"))
