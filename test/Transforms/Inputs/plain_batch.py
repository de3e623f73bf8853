"""Makes a batch of the plain product: matrices are slices of tensors of rank 3."""
import sys

with open(sys.argv[1]) as file:
    text = file.read()
text = text.replace('"(?,?{div=8}):(?{i64 div=8},1)">', '"(?,?{div=8},?):(?{i64 div=8},1,?{i64 div=8})">')
slices = ""
for name in "ABC":
    text = text.replace(f"%{name}: !matrix", f"%{name}s: !matrix")
    slices += f"    %{name} = cute.slice(%{name}s, (_,_,%bz))\n"
text = text.replace("    %thread =", "    %bz = cute.block_idx<\"z\">\n" + slices + "    %thread =")
print(text.replace('$BN)"]', '$BN)", "arg2.shape[2]"]'))
