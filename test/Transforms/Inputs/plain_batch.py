"""Makes a batch of the plain product: matrices are slices of tensors of rank 3, in which the
batch is the last mode or, with `first` after the file, the first one."""
import sys

with open(sys.argv[1]) as file:
    text = file.read()
FIRST = sys.argv[2:] == ["first"]
MATRIX = '"(?,?{div=8}):(?{i64 div=8},1)">'
BATCH = ('"(?,?,?{div=8}):(?{i64 div=8},?{i64 div=8},1)">' if FIRST else
         '"(?,?{div=8},?):(?{i64 div=8},1,?{i64 div=8})">')
text = text.replace(MATRIX, BATCH)
slices = ""
for name in "ABC":
    text = text.replace(f"%{name}: !matrix", f"%{name}s: !matrix")
    slices += f"    %{name} = cute.slice(%{name}s, {'(%bz,_,_)' if FIRST else '(_,_,%bz)'})\n"
text = text.replace("    %thread =", "    %bz = cute.block_idx<\"z\">\n" + slices + "    %thread =")
if FIRST:
    text = text.replace("arg2.shape[1]", "arg2.shape[2]").replace("arg2.shape[0]", "arg2.shape[1]")
print(text.replace('$BN)"]', f'$BN)", "arg2.shape[{0 if FIRST else 2}]"]'))
