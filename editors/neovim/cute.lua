-- cute-lsp in Neovim: `:luafile cute.lua`, or as ~/.config/nvim/plugin/cute.lua.
local group = vim.api.nvim_create_augroup("cute", {})

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  group = group,
  pattern = "*.mlir",
  command = "setfiletype mlir",
})

-- Commands of lenses are run in a terminal.
local commands = {
  ["cute.run"] = function(command)
    vim.cmd("botright split | terminal " .. command.arguments[1])
  end,
}

local client
vim.api.nvim_create_autocmd("FileType", {
  group = group,
  pattern = "mlir",
  callback = function(event)
    if vim.lsp.start then
      vim.lsp.start({ name = "cute-lsp", cmd = { "cute-lsp" }, commands = commands })
      return
    end
    -- Before Neovim 0.8.
    client = client or vim.lsp.start_client({
      name = "cute-lsp",
      cmd = { "cute-lsp" },
      commands = commands,
    })
    vim.lsp.buf_attach_client(event.buf, client)
  end,
})
