-- Starts the server as Neovim does for a file type, types, and writes what Neovim shows.
local function lines(path)
  local all = {}
  for line in io.lines(path) do all[#all + 1] = line end
  return all
end

local client = vim.lsp.start_client({ name = "codelinter", cmd = { vim.env.BINARY, "lsp" }, root_dir = vim.fn.getcwd() })
vim.bo.filetype = "python"
vim.lsp.buf_attach_client(0, client)

local function until_found(n)
  local found = vim.wait(30000, function() return #vim.diagnostic.get(0) == n end)
  if not found then
    io.stderr:write("expected " .. n .. " diagnostics, found " .. #vim.diagnostic.get(0) .. "\n")
    vim.cmd("cquit")
  end
end

until_found(1)
-- As one types: piece by piece.
vim.api.nvim_buf_set_text(0, 1, 4, 1, 5, { '"𝒳 and what else is to be said in a line" ;y = 2' })
until_found(5)

local out = io.open(vim.env.OUT, "w")
for _, d in ipairs(vim.diagnostic.get(0)) do
  out:write(d.lnum + 1, " ", d.code, " ", d.message, "\n")
end
out:close()
vim.cmd("qall!")
