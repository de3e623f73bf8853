# Threads copy A by way of registers, and add up what they copy: a sum over all tiles along K.
s/%C: !matrix)/&, %S: !cute.tensor<f32, gmem, align<16>, "(?,64):(64,1)">)/
s/%C: !matrix), %S/%C: !matrix, %S/
/%sA_write = /{
i \    %sync = cute.make_tiled_copy(!vector, (16,8):(8,1), (1,8):(0,1))
s/%g2s/%sync/
a \    %seen = cute.make_fragment_like<f32> (%sA_write)
a \    cute.clear(%seen)
}
s/(%g2s, %A,/(%sync, %A,/
/cute.copy(%g2s, %gA/c \      %fA = cute.make_fragment_like(%gA)\n      cute.copy(%sync, %gA, %fA)\n      %vA = cute.load_vector(%fA)\n      cute.copy(%sync, %fA, %sA_write)\n      cute.store_vector(cute.load_vector(%seen) + f32(%vA), %seen)
/gpu.return/i \    %gS = cute.partition_d(%sync, cute.local_tile(%S, ($BM,64), (%bm,0)), %thread)\n    cute.basic_copy(%seen, %gS)
