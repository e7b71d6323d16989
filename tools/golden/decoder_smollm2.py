"""SmolLM2 by PyTorch in single precision, on the weights of the GGUF file, dequantised.

pip install torch==2.13.0 transformers==5.23.0 gguf==0.19.0
python tools/golden/decoder_smollm2.py MODEL.gguf tests/golden/decoder_smollm2.json SEQUENCES.json

SEQUENCES.json has lists of ids: a sentence, a program, and a conversation by the chat template.
"""
import json
import sys
from importlib.metadata import version

import numpy as np
import torch
from gguf import GGUFReader
from gguf.quants import dequantize
from transformers import LlamaConfig, LlamaForCausalLM

torch.set_num_threads(1)
names = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def halves(weight, heads):
    """Undoes the order of rows that llama.cpp's conversion makes."""
    rows, width = weight.shape
    return weight.reshape(heads, rows // heads // 2, 2, width).swapaxes(1, 2).reshape(rows, width)


state = {}
for tensor in GGUFReader(sys.argv[1]).tensors:
    weight = np.array(dequantize(tensor.data, tensor.tensor_type), np.float32)
    *layer, part, _ = tensor.name.split(".")
    if part in ("attn_q", "attn_k"):
        weight = halves(weight, 9 if part == "attn_q" else 3)
    prefix = f"model.layers.{layer[1]}." if layer else ""
    state[f"{prefix}{names[part]}.weight"] = torch.from_numpy(np.ascontiguousarray(weight))
config = LlamaConfig(
    vocab_size=49152, hidden_size=576, intermediate_size=1536, num_hidden_layers=30,
    num_attention_heads=9, num_key_value_heads=3, max_position_embeddings=8192,
    rms_norm_eps=1e-5, rope_theta=1e5, tie_word_embeddings=True,
)
model = LlamaForCausalLM(config).eval()
model.load_state_dict({**state, "lm_head.weight": state["model.embed_tokens.weight"]})

sequences = json.load(open(sys.argv[3]))
cases = []
for ids in sequences:
    with torch.no_grad():
        logits = model(torch.tensor([ids])).logits[0]
    scores = torch.log_softmax(logits[:-1].double(), -1).gather(1, torch.tensor(ids)[1:, None])[:, 0]
    last = logits[-1]
    shown = sorted({*last.topk(8).indices.tolist(), *range(0, 49152, 6144)})
    cases.append({
        "ids": ids,
        "log_probabilities": [round(x, 7) for x in scores.tolist()],
        "last_logits": {str(i): round(last[i].item(), 6) for i in shown},
    })
json.dump({
    "made_by": f"torch {version('torch')}, transformers {version('transformers')}, gguf {version('gguf')}",
    "command": "python tools/golden/decoder_smollm2.py MODEL.gguf tests/golden/decoder_smollm2.json SEQUENCES.json",
    "cases": cases,
}, open(sys.argv[2], "w"))
