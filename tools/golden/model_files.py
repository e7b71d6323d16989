"""Checkpoints as the published libraries write and read them.

pip install gguf==0.19.0 safetensors==0.8.0 torch==2.13.0 numpy
python tools/golden/model_files.py tests/golden/model_files.json
"""
import base64
import hashlib
import json
import os
import sys
import tempfile
from importlib.metadata import version

import gguf
import numpy as np
import torch
from gguf.quants import dequantize
from safetensors.torch import save_file

rng = np.random.default_rng(20)
types = ["F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q4_K", "Q6_K"]
# Where the halves of a block lie: random bytes would make infinite ones.
halves = {"Q8_0": [0], "Q4_0": [0], "Q4_1": [0, 2], "Q4_K": [0, 2], "Q6_K": [208]}


def text(raw):
    return base64.b64encode(raw).decode()


def blocks(name, count):
    """Random whole blocks of a type, as bytes."""
    kind = gguf.GGMLQuantizationType[name]
    size, width = gguf.GGML_QUANT_SIZES[kind]
    if name in ("F32", "F16", "BF16"):
        values = torch.tensor(rng.normal(size=count * 8), dtype=torch.float32)
        dtype = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}[name]
        return np.frombuffer(values.to(dtype).contiguous().view(torch.uint8).numpy().tobytes(), np.uint8)
    raw = rng.integers(0, 256, size=(count, width), dtype=np.uint8)
    for at in halves[name]:
        scales = rng.normal(scale=0.1, size=count).astype(np.float16)
        raw[:, at : at + 2] = scales.view(np.uint8).reshape(count, 2)
    return raw.reshape(-1)


def plain(name, raw):
    kind = gguf.GGMLQuantizationType[name]
    if name == "F32":
        return raw.view(np.float32)
    if name == "F16":
        return raw.view(np.float16).astype(np.float32)
    return dequantize(raw.reshape(1, -1), kind).astype(np.float32).reshape(-1)


def digest(values):
    return hashlib.sha256(np.ascontiguousarray(values, np.float32).tobytes()).hexdigest()


cases = {name: blocks(name, 2) for name in types}

folder = tempfile.mkdtemp()
path = os.path.join(folder, "small.gguf")
writer = gguf.GGUFWriter(path, "llama")
writer.add_block_count(3)
writer.add_string("tokenizer.chat_template", "{{ 'é東' }}")
writer.add_token_list(["a", "bc", "\u0120d"])
writer.add_float32("llama.rope.freq_base", 1e5)
writer.add_bool("tokenizer.ggml.add_bos_token", False)
expected = {}
for name in types:
    raw = blocks(name, 6)
    kind = gguf.GGMLQuantizationType[name]
    size, width = gguf.GGML_QUANT_SIZES[kind]
    values = plain(name, raw)
    dtype = {"F32": np.float32, "F16": np.float16}.get(name)
    data = (raw.view(dtype) if dtype else raw).reshape(2, -1)
    writer.add_tensor(name.lower(), data, raw_dtype=kind)
    expected[name.lower()] = {"shape": [2, values.size // 2], "sha256": digest(values)}
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()

torch.manual_seed(20)
first = {"a": torch.randn(3, 4), "b": torch.randn(5, 2).to(torch.float16)}
second = {"c": torch.randn(2, 3, 2).to(torch.bfloat16)}
save_file(first, os.path.join(folder, "1.safetensors"), metadata={"format": "pt"})
save_file(second, os.path.join(folder, "2.safetensors"))
tensors = {**first, **second}

out = {
    "made_by": ", ".join(f"{n} {version(n)}" for n in ("gguf", "safetensors", "torch", "numpy")),
    "command": "python tools/golden/model_files.py tests/golden/model_files.json",
    "blocks": {n: {"bytes": text(r.tobytes()), "values": text(plain(n, r).tobytes())} for n, r in cases.items()},
    "gguf": {"file": text(open(path, "rb").read()), "tensors": expected},
    "safetensors": {
        "files": {f: text(open(os.path.join(folder, f), "rb").read()) for f in ("1.safetensors", "2.safetensors")},
        "tensors": {n: {"shape": list(t.shape), "values": text(t.float().numpy().tobytes())} for n, t in tensors.items()},
    },
}
json.dump(out, open(sys.argv[1], "w"), ensure_ascii=False)
