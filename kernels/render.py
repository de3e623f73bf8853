#!/usr/bin/env python3
import sys, jinja2, pathlib, math
env=jinja2.Environment(line_statement_prefix='//%',line_comment_prefix='//#',trim_blocks=True,lstrip_blocks=True,undefined=jinja2.StrictUndefined)
env.filters['log2']=lambda n: int(n).bit_length()-1
kw=dict(name='gemm',type='f16',out='f16',bm=128,bn=128,bk=64,warps_m=2,warps_n=2,stages=3,a_major='k',b_major='k',c_major='n',batched=False,group=8)
for a in sys.argv[2:]:
    k,v=a.split('=');
    try: v=int(v)
    except ValueError: pass
    kw[k]=v
print(env.from_string(pathlib.Path(sys.argv[1]).read_text()).render(**kw).lstrip())
