[(block) (parentheses) (brackets)] @indent.begin
["}" ")" "]"] @indent.branch
