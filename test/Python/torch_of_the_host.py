# REQUIRES: torch, full
# RUN: env CUTE_DEVICE=sim %python %s
"""What programs ask of torch where `cute run` has no device: float16 on the host, attention."""

import unittest
from unittest import mock

import torch

import cute
from cute.runtime import make_ptr
from cute.torch import as_tensor, cute_tensor_like, prepare_tensors_for_gemm
from cute._device import devices as _device
from cute._device import fake_cuda as _fake_cuda


class Host(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        _fake_cuda.install()
        torch.manual_seed(1)

    def test_products_of_float16(self):
        a, b = (torch.randn(3, 8, device="cuda").half() for _ in range(2))
        got = torch.einsum("mk,nk->mn", a, b)
        self.assertEqual((got.dtype, got.is_cuda), (torch.float16, True))
        wanted = a.cpu().double() @ b.cpu().double().t()
        self.assertLess((got.cpu().double() - wanted).abs().max().item(), 5e-3)
        self.assertEqual(torch.matmul(a.cpu(), b.cpu().t()).dtype, torch.float16)
        with self.assertRaisesRegex(RuntimeError, "shapes|size"):
            a @ b

    def test_modules_move(self):
        module = torch.nn.Linear(4, 3).to("cuda")
        half = module.to("cuda", torch.float16)
        self.assertEqual(half.weight.dtype, torch.float16)
        self.assertEqual(module.to(torch.float32)(torch.ones(2, 4, device="cuda")).shape, (2, 3))
        self.assertTrue(module.weight.is_cuda)

    def test_contexts(self):
        import cute.cuda

        with torch.cuda.device(0):
            self.assertEqual(torch.cuda.current_device(), 0)
        self.assertTrue(cute.cuda.cuCtxGetCurrent()[1])

    def test_memory_is_aligned_as_on_a_gpu(self):
        for made in (torch.zeros(5, device="cuda"), torch.randn(3, 7, device="cuda").t(),
                     torch.empty_strided((3, 2), (1, 4), device="cuda")):
            storage = made.untyped_storage()
            self.assertEqual(storage.data_ptr() % 512, 0)
        self.assertEqual(torch.arange(3, device="cuda").tolist(), [0, 1, 2])
        self.assertEqual(torch.empty(0, device="cuda").numel(), 0)

    def test_tensors_at_pointers(self):
        memory = torch.arange(6, dtype=torch.float32)
        pointer = make_ptr(cute.Float32, memory.data_ptr())
        same = as_tensor(pointer, (2, 3), torch.float32)
        same[1, 2] = 9
        self.assertEqual(memory[5], 9)
        a, b, c = prepare_tensors_for_gemm((4, 2, 3, 5), *[cute.Float16] * 3)
        self.assertEqual((a.shape, b.stride(), c.dtype), ((4, 3, 5), (3, 1, 6), torch.float16))

    def test_pairs_of_small_floats(self):
        if not hasattr(torch, "float4_e2m1fn_x2"):
            self.skipTest("this torch has no pairs of floats of 4 bits")
        bits = torch.zeros(4, 8, dtype=torch.uint8).view(torch.float4_e2m1fn_x2)
        self.assertEqual(str(cute.runtime.from_dlpack(bits)).split(" o ")[1][:-1], "(4,16):(16,1)")
        with self.assertRaisesRegex(TypeError, "lie along a mode of stride 1, not"):
            cute.runtime.from_dlpack(bits[:, ::2])

    def test_floats_of_four_bits(self):
        numbers = torch.tensor([[0.0, 0.25, 0.26, 0.75, -1.25, 1.75, 2.5, 3.5, 5.0, -7.0]])
        made, memory = cute_tensor_like(numbers, cute.Float4E2M1FN, False, 16)
        codes = [x for byte in memory.flatten()[:5].tolist() for x in (byte & 15, byte >> 4)]
        self.assertEqual(codes, [0, 0, 1, 2, 8 | 2, 4, 4, 6, 6, 8 | 7])

    @unittest.skipUnless(hasattr(torch, "float4_e2m1fn_x2"), "torch has no floats of 4 bits")
    def test_scaled_products(self):
        codes = [torch.randint(0, 256, (n, 32), dtype=torch.uint8, device="cuda")
                 for n in (128, 256)]
        factors = [torch.randint(1, 3, (n, 4)).float() for n in (128, 256)]
        blocked = [f.view(-1, 4, 32, 4).permute(0, 2, 1, 3).reshape(-1).to(torch.float8_e4m3fn)
                   for f in factors]
        a, b = (x.view(torch.float4_e2m1fn_x2) for x in codes)
        got = torch._scaled_mm(a, b.transpose(0, 1), *(x.cuda() for x in blocked),
                               out_dtype=torch.float16)
        table = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6])
        wide = []
        for x, f in zip(codes, factors):
            halves = torch.stack((x.cpu() & 15, x.cpu() >> 4), -1).reshape(len(x), -1).long()
            signs = 1 - 2 * (halves >> 3)
            wide.append((table[halves & 7] * signs * f.repeat_interleave(16, 1)).double())
        self.assertTrue((got.cpu() == (wide[0] @ wide[1].T).half()).all())

    def test_attention(self):
        attention = torch.nn.functional.scaled_dot_product_attention
        q, k, v = (torch.randn(2, 3, 5, 8) for _ in range(3))
        scores = (q @ k.transpose(-1, -2)).double() * 0.5
        future = torch.ones(5, 5).triu(1).bool()
        for is_causal in (False, True):
            s = scores.masked_fill(future, float("-inf")) if is_causal else scores
            wanted = s.softmax(-1) @ v.double()
            got = attention(q.half(), k.half(), v.half(), scale=0.5, is_causal=is_causal)
            self.assertEqual(got.dtype, torch.float16)
            self.assertLess((got.double() - wanted).abs().max().item(), 1e-2)


    def test_what_programs_ask_of_the_device(self):
        """Which is not there: it has an architecture and its sizes."""
        known = torch.cuda.get_device_properties(0)
        self.assertEqual((known.major, known.minor), torch.cuda.get_device_capability())
        self.assertGreaterEqual(known.multi_processor_count, 1)
        self.assertGreater(known.shared_memory_per_block_optin, known.shared_memory_per_block)
        for arch, threads, kib in (("sm_86", 1536, 100), ("sm_90a", 2048, 228)):
            with mock.patch.object(_device, "arch", lambda name=arch: name):
                known = torch.cuda.get_device_properties(0)
            self.assertEqual(
                (known.max_threads_per_multi_processor, known.shared_memory_per_multiprocessor),
                (threads, 1024 * kib), arch)
        self.assertEqual(torch.cuda.get_device_name(), "simulator")
        self.assertEqual(torch.cuda.memory_allocated(), 0)
        torch.cuda.empty_cache()
        like = torch.empty_like(torch.ones(3), device="cuda")
        self.assertEqual((str(like.device), like.shape), ("cuda:0", (3,)))


if __name__ == "__main__":
    unittest.main()
