[(block) (parentheses) (brackets)] @fold
