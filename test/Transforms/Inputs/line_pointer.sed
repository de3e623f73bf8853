s/cute.composition(%sL, (\$ROWS,\$COLS):(0,1))/cute.make_tensor(cute.get_iter(%sL), ($ROWS,$COLS):(0,1))/
