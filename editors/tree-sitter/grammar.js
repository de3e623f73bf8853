// The structure of the text, for colours, folding and indentation: lines, brackets and
// names. Which operands an op has is for cute-lsp to say. A statement ends with its line,
// unless a bracket is open or the next line begins with a word that continues it.

// Lines between braces, or of the file.
const lines = ($) => [
  optional($._statement),
  repeat(seq($._newline, optional($._statement))),
];

// A piece of a name: ${BM} is replaced by a parameter.
const PIECE = "(\\$\\{[^}\\n]*\\}|[A-Za-z0-9_$-])";

module.exports = grammar({
  name: "cute_mlir",

  extras: ($) => [$.comment, /\s/],

  word: ($) => $.identifier,

  rules: {
    source_file: ($) => seq(...lines($)),

    _newline: (_) => "\n",

    _statement: ($) =>
      choice($.module, $.function, $.definition, $.statement, $.loop, $.branch),

    module: ($) => seq(choice("module", "gpu.module"), optional($._items)),

    function: ($) =>
      seq(
        choice("func.func", "gpu.func"),
        optional($.identifier),
        field("name", $.symbol),
        field("parameters", $.parentheses),
        optional($._items),
      ),

    // %a, %b = ..., also of types, !name = ..., and of attributes, #name = ...
    definition: ($) =>
      seq(
        field("left", $.names),
        "=",
        field("right", choice($.expression, $.loop, $.branch)),
      ),

    names: ($) => $._items,

    expression: ($) => seq($._items, repeat(seq("=", $._items))),

    statement: ($) => $._items,

    loop: ($) => seq("for", field("variable", $.value), "in", $._items),

    branch: ($) => seq("if", $._items),

    _items: ($) => repeat1($._item),

    _item: ($) =>
      choice(
        $.value,
        $.symbol,
        $.op_name,
        $.type_name,
        $.attribute_name,
        $.label,
        $.parameter,
        $.string,
        $.number,
        $.boolean,
        $.identifier,
        $.keyword,
        $.operator,
        $.parentheses,
        $.brackets,
        $.block,
        seq("else", optional("if")),
      ),

    parentheses: ($) => seq("(", repeat(choice($._item, "=")), ")"),

    brackets: ($) => seq("[", repeat(choice($._item, "=")), "]"),

    // A region or a dictionary.
    block: ($) => seq("{", ...lines($), "}"),

    keyword: ($) =>
      choice(
        "attributes", "args", "blocks", "carry", "iter_args", "kernel", "loc",
        "return", "step", "threads", "to", "yield",
        $._continuation,
      ),

    // A word on the next line that does not begin a statement.
    _continuation: (_) =>
      token(prec(1, /\n\s*(attributes|args|blocks|carry|iter_args|kernel|threads)/)),

    boolean: (_) => choice("true", "false"),

    comment: (_) => token(/\/\/[^\n]*/),

    string: (_) => token(/"([^"\\\n]|\\.)*"/),

    // No name has two dots: %a..%b is a range.
    value: (_) => token(new RegExp(`%${PIECE}+(\\.${PIECE}+)*(#[0-9]+)?`)),

    symbol: (_) => token(new RegExp(`@("[^"\\n]*"|${PIECE}+(\\.${PIECE}+)*)`)),

    op_name: (_) => token(/[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)+/),

    type_name: (_) => token(/![A-Za-z_][A-Za-z0-9_$.]*/),

    attribute_name: (_) => token(/#[A-Za-z_][A-Za-z0-9_$.]*/),

    label: (_) => token(/\^[A-Za-z0-9_$.-]+/),

    parameter: (_) => token(/\$(\{[^}\n]*\}|[A-Za-z_][A-Za-z0-9_]*)/),

    number: (_) => token(/0x[0-9A-Fa-f]+|[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/),

    identifier: (_) => /[A-Za-z_][A-Za-z0-9_]*/,

    operator: (_) =>
      token(/->|::|\.\.|==|!=|<=|>=|<<|>>|[-+*\/&|<>?:,;#]/),
  },
});
