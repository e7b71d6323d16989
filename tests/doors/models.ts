/** Files of language models from elsewhere: headers, shards, tokenizers, templates. */
import { join } from "node:path";
import { openGguf } from "../../src/models/files/gguf_file.ts";
import { openSafetensors } from "../../src/models/files/safetensors_file.ts";
import { ChatTemplate } from "../../src/models/text/chat_template.ts";
import { PromptTemplate } from "../../src/models/text/prompt_template.ts";
import { folderTokenizer } from "../../src/models/text/tokenizer_source.ts";
import { Tokenizer } from "../../src/models/text/tokenizer.ts";
import { type Door, inScratch } from "./attack.ts";

/** Bytes of a GGUF file: numbers of 4 and 8 bytes, and texts with their lengths. */
function gguf(tensors: bigint, entries: bigint, ...rest: readonly (number | bigint | string)[]) {
  const parts = ["GGUF", 3, tensors, entries, ...rest].flatMap((part, i) => bytesOf(part, i === 0));
  return Uint8Array.from(parts);
}

function bytesOf(part: number | bigint | string, isMagic: boolean): number[] {
  const bytes = new DataView(new ArrayBuffer(8));
  if (typeof part === "string") {
    const letters = [...new TextEncoder().encode(part)];
    return isMagic ? letters : [...bytesOf(BigInt(letters.length), false), ...letters];
  }
  if (typeof part === "bigint") bytes.setBigUint64(0, part, true);
  else bytes.setUint32(0, part, true);
  return [...new Uint8Array(bytes.buffer)].slice(0, typeof part === "bigint" ? 8 : 4);
}

function safetensors(header: unknown, data = 0): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(8 + json.length + data);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  return bytes;
}

function opened(name: string, bytes: Uint8Array): Promise<string> {
  return inScratch((folder) => {
    const path = join(folder, name);
    Deno.writeFileSync(path, bytes);
    const file = name.endsWith(".gguf") ? openGguf(path) : openSafetensors(path);
    for (const tensor of file.tensors.keys()) file.read(tensor);
    file.close();
    return `${file.tensors.size} tensors`;
  });
}

/** A folder of shards as an index names them; the secret stands beside the folder. */
function sharded(shard: unknown, plant: (folder: string) => void = () => {}): Promise<string> {
  return inScratch((folder) => {
    const model = join(folder, "model");
    Deno.mkdirSync(model);
    const tensor = { dtype: "F32", shape: [1], data_offsets: [0, 4] };
    Deno.writeFileSync(join(folder, "secret.safetensors"), safetensors({ w: tensor }, 4));
    const index = JSON.stringify({ weight_map: { w: shard } });
    Deno.writeTextFileSync(join(model, "model.safetensors.index.json"), index);
    plant(model);
    const file = openSafetensors(model);
    file.close();
    return `READ ${file.tensors.size} tensors`;
  });
}

function pipe(path: string): void {
  new Deno.Command("mkfifo", { args: [path] }).outputSync();
}

/** A tokenizer whose rule for parts of texts is this. */
function tokenizerBy(split: unknown): string {
  const tokenizer = {
    version: "1.0",
    added_tokens: [],
    pre_tokenizer: { type: "Split", pattern: split, behavior: "Isolated", invert: false },
    decoder: { type: "ByteLevel" },
    model: { type: "BPE", vocab: { a: 0, b: 1 }, merges: [] },
  };
  return `${new Tokenizer({ path: "hostile", tokenizer, config: {} }).size} tokens`;
}

const tensor = (entry: unknown, data = 4) =>
  opened("m.safetensors", safetensors({ w: entry }, data));
const turn = [{ role: "user", content: "x" }];
const chat = (text: string) => () => `${new ChatTemplate(text).render(turn).length} characters`;
const refusedModel = /^refused: model\//;

/** Attempts by the files of a model. */
export const models: Door = {
  door: "model add: GGUF, safetensors, tokenizers, templates",
  idea: "false headers, shards in other folders, files that are not regular, " +
    "templates that never end",
  attacks: [
    {
      name: "lists in lists, 2,000 deep",
      tried: () => {
        const nested = Array.from({ length: 2_000 }, () => [9, 1n]).flat();
        return opened("m.gguf", gguf(0n, 1n, "k", 9, ...nested));
      },
      holds: refusedModel,
    },
    {
      name: "10^18 entries",
      tried: () => opened("m.gguf", gguf(0n, 10n ** 18n)),
      holds: refusedModel,
    },
    {
      name: "a text of 2^63 letters",
      tried: () => opened("m.gguf", gguf(0n, 1n, 2n ** 63n)),
      holds: refusedModel,
    },
    {
      name: "a million numbers that are not there",
      tried: () => opened("m.gguf", gguf(0n, 1n, "k", 9, 4, 1n << 20n)),
      holds: refusedModel,
    },
    {
      name: "a tensor of 2^64 numbers",
      tried: () => opened("m.gguf", gguf(1n, 0n, "w", 2, 2n ** 32n, 2n ** 32n, 0, 0n)),
      holds: refusedModel,
    },
    {
      name: "a tensor beyond the end",
      tried: () => opened("m.gguf", gguf(1n, 0n, "w", 1, 4n, 0, 2n ** 62n)),
      holds: refusedModel,
    },
    {
      name: "an alignment of nothing",
      tried: () => opened("m.gguf", gguf(1n, 1n, "general.alignment", 4, 0, "w", 1, 1n, 0, 0n)),
      holds: refusedModel,
    },
    {
      name: "a tensor that is null",
      tried: () => tensor(null),
      holds: refusedModel,
    },
    {
      name: "a tensor without a shape",
      tried: () => tensor({ dtype: "F32", data_offsets: [0, 4] }),
      holds: refusedModel,
    },
    {
      name: "a shape of halves",
      tried: () => tensor({ dtype: "F32", shape: [0.5, 2], data_offsets: [0, 4] }),
      holds: refusedModel,
    },
    {
      name: "a shape of two negative numbers",
      tried: () => tensor({ dtype: "F32", shape: [-1, -1], data_offsets: [0, 4] }),
      holds: refusedModel,
    },
    {
      name: "a place before the data",
      tried: () => tensor({ dtype: "F32", shape: [1], data_offsets: [-8, -4] }),
      holds: refusedModel,
    },
    {
      name: "an element type called constructor",
      tried: () => tensor({ dtype: "constructor", shape: [1], data_offsets: [0, 4] }),
      holds: refusedModel,
    },
    {
      name: "a header that is a list",
      tried: () => opened("m.safetensors", safetensors([[1]])),
      holds: refusedModel,
    },
    {
      name: "a shard in the folder above",
      tried: () => sharded("../secret.safetensors"),
      holds: refusedModel,
    },
    { name: "a shard named by a number", tried: () => sharded(7), holds: refusedModel },
    {
      name: "a shard that is a pipe",
      tried: () => sharded("a.safetensors", (folder) => pipe(join(folder, "a.safetensors"))),
      holds: /^refused: (model|file)\//,
    },
    {
      name: "a tokenizer.json that is a pipe",
      tried: () =>
        inScratch((folder) => {
          pipe(join(folder, "tokenizer.json"));
          return `READ ${folderTokenizer(folder).path}`;
        }),
      holds: /^refused: (model|file)\//,
    },
    {
      name: "a tokenizer.json that is a device without end",
      tried: () =>
        inScratch((folder) => {
          Deno.symlinkSync("/dev/zero", join(folder, "tokenizer.json"));
          return `READ ${folderTokenizer(folder).path}`;
        }),
      holds: /^refused: (model|file)\//,
    },
    {
      name: "a tokenizer whose pattern is none",
      tried: () => tokenizerBy({ Regex: "((((" }),
      holds: refusedModel,
    },
    {
      name: "a chat template that calls itself",
      tried: chat("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"),
      holds: /^refused: model\/template$/,
    },
    {
      name: "a chat template that counts to 10^9",
      tried: chat("{% for i in range(1000000000) %}{% endfor %}"),
      holds: /^refused: model\/template$/,
    },
    {
      name: "a chat template that counts to 10^4, four times within itself",
      tried: chat(
        "{% for a in range(10000) %}{% for b in range(10000) %}{% for c in range(10000) %}" +
          "{% for d in range(10000) %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}",
      ),
      holds: /^refused: model\/template$/,
    },
    {
      name: "a chat template that doubles a text a hundred times",
      tried: chat(
        "{% set n = namespace(t='aaaaaaaa') %}{% for i in range(100) %}" +
          "{% set n.t = n.t ~ n.t %}{% endfor %}{{ n.t }}",
      ),
      holds: /^refused: model\/template$/,
    },
    {
      name: "a chat template that looks for constructors",
      tried: () =>
        new ChatTemplate("{{ messages.constructor.constructor('return 7')() }}").render(turn),
      holds: /^refused: model\/template$/,
    },
    {
      name: "a prompt that names what nobody gives",
      tried: () => new PromptTemplate("{{ x }}{{ Deno }}", { known: ["x"] }).render({ x: "" }),
      holds: /^refused: /,
    },
    {
      name: "a prompt whose value is a template",
      tried: () => new PromptTemplate("{{ x }}", { known: ["x"] }).render({ x: "{{ 7 * 7 }}" }),
      holds: /^\{\{ 7 \* 7 \}\}$/,
    },
  ],
};
