"""The measures of language_model_bench.ts and language_model_training_bench.ts, in PyTorch and PEFT, one
thread, seconds of CPU: tokens of 16 sequences behind a cache, and training steps.

pip install torch==2.13.0 transformers==5.23.0 peft==0.21.2
python bench/language_model_training.py FOLDER
"""
import resource
import sys
import time

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

torch.set_num_threads(1)
model = AutoModelForCausalLM.from_pretrained(sys.argv[1], dtype=torch.float32)
with torch.no_grad():
    ids = torch.tensor([[(7919 * i + 504) % 49152 for i in range(8)]] * 16)
    cache = model(ids, use_cache=True).past_key_values
    before, rounds = time.process_time(), 16
    for i in range(rounds):
        cache = model(ids[:, :1], past_key_values=cache, use_cache=True).past_key_values
    rate = 16 * rounds / (time.process_time() - before)
    print(f"PyTorch {torch.__version__}: 16 sequences {rate:.0f} tokens/s")
config = LoraConfig(r=16, lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM")
model = get_peft_model(model, config).train()
ids = torch.tensor([(7919 * i + 504) % 49152 for i in range(8 * 128)]).reshape(8, 128)
optimiser = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
for step in range(3):
    before = time.process_time()
    logits = model(ids).logits[:, :-1]
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
    middle = time.process_time()
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    after = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"PyTorch {torch.__version__}: step {after - before:.2f} s of CPU (forward {middle - before:.2f}),"
        f" loss {loss.item():.5f}, {memory:.2f} GB"
    )
