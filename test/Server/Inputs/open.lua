-- Prints what the server says of the file that is open, and a hover.
vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end, 20)
for _, one in ipairs(vim.diagnostic.get(0)) do
  print(one.lnum + 1 .. ":" .. one.col + 1 .. ": " .. one.message .. "\n")
end
local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", {
  textDocument = vim.lsp.util.make_text_document_params(),
  position = { line = 4, character = 25 },
}, 10000)
for _, answer in pairs(answers or {}) do
  print(answer.result.contents.value .. "\n")
end
