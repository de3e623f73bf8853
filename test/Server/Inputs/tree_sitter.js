// Prints the grammar of a grammar.js as JSON: tree_sitter.js GRAMMAR. The functions are
// tree-sitter's own, from dsl.js, with its names of rules.
const assert = require("assert");

const rule = (value) => {
  if (typeof value === "string") return { type: "STRING", value };
  if (value instanceof RegExp) return { type: "PATTERN", value: value.source };
  assert(value && value.type, `no rule: ${value}`);
  return value;
};
const ranked = (type) => (value, content) => ({ type, value, content: rule(content) });

Object.assign(globalThis, {
  seq: (...members) => ({ type: "SEQ", members: members.map(rule) }),
  choice: (...members) => ({ type: "CHOICE", members: members.map(rule) }),
  optional: (content) => choice(content, { type: "BLANK" }),
  repeat: (content) => ({ type: "REPEAT", content: rule(content) }),
  repeat1: (content) => ({ type: "REPEAT1", content: rule(content) }),
  field: (name, content) => ({ type: "FIELD", name, content: rule(content) }),
  token: (content) => ({ type: "TOKEN", content: rule(content) }),
  prec: ranked("PREC"),
  grammar: ({ name, rules, extras, word }) => {
    const $ = new Proxy({}, {
      get: (_, symbol) => {
        assert(symbol in rules, `no rule ${symbol}`);
        return { type: "SYMBOL", name: symbol };
      },
    });
    const made = Object.entries(rules).map(([key, body]) => [key, rule(body($))]);
    return { name, word: word($).name, extras: extras($).map(rule),
             rules: Object.fromEntries(made) };
  },
});

console.log(JSON.stringify(require(process.argv[2])));
