/** GGUF and safetensors are read as the published libraries read them; damaged files say what is wrong. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { InputError } from "../../src/base/diagnostic.ts";
import { sha256 } from "../../src/base/digest.ts";
import { blockTypes } from "../../src/models/files/gguf_blocks.ts";
import { openGguf } from "../../src/models/files/gguf_file.ts";
import { openSafetensors } from "../../src/models/files/safetensors_file.ts";
import golden from "../golden/model_files.json" with { type: "json" };
import { temporaryFolder } from "../temporary_folder.ts";

const bytesOf = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const floatsOf = (text: string) => new Float32Array(bytesOf(text).buffer);
const digestOf = (values: Float32Array) => sha256(new Uint8Array(values.buffer));

/** A file of these bytes, in a folder of its own. */
function fileOf(name: string, bytes: Uint8Array): string {
  const path = join(temporaryFolder(), name);
  Deno.writeFileSync(path, bytes);
  return path;
}

const small = () => bytesOf(golden.gguf.file);

/** With other bytes at a place. */
function changed(bytes: Uint8Array, at: number, ...values: number[]): Uint8Array {
  bytes.set(values, at);
  return bytes;
}

function indexOf(bytes: Uint8Array, text: string): number {
  const letters = [...bytes].map((byte) => String.fromCharCode(byte)).join("");
  const at = letters.indexOf(text);
  assert(at >= 0);
  return at;
}

for (const [name, { bytes, values }] of Object.entries(golden.blocks)) {
  Deno.test(`blocks of ${name} are dequantised to the bits of the gguf package`, () => {
    const type = [...blockTypes.values()].find((one) => one.name === name)!;
    const wanted = floatsOf(values);
    const out = new Float32Array(wanted.length);
    type.decode(bytesOf(bytes), out);
    assert.deepEqual(out, wanted);
  });
}

Deno.test("a GGUF file that the gguf package wrote has its tensors and metadata", () => {
  const file = openGguf(fileOf("small.gguf", small()));
  for (const [name, { shape, sha256 }] of Object.entries(golden.gguf.tensors)) {
    assert.deepEqual(file.tensors.get(name)?.shape, shape);
    assert.equal(digestOf(file.read(name)), sha256, name);
  }
  assert.equal(file.metadata.get("general.architecture"), "llama");
  assert.equal(file.metadata.get("tokenizer.chat_template"), "{{ 'é東' }}");
  assert.deepEqual(file.metadata.get("tokenizer.ggml.tokens"), ["a", "bc", "Ġd"]);
  assert.equal(file.metadata.get("tokenizer.ggml.add_bos_token"), false);
  file.close();
});

/** A folder with two shards and their index. */
function shards(index: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(golden.safetensors.files)) {
    Deno.writeFileSync(join(folder, name), bytesOf(text));
  }
  const text = JSON.stringify({ metadata: {}, weight_map: index });
  Deno.writeTextFileSync(join(folder, "model.safetensors.index.json"), text);
  return folder;
}

const index = { a: "1.safetensors", b: "1.safetensors", c: "2.safetensors" };

Deno.test("shards that the safetensors package wrote are one checkpoint", () => {
  const file = openSafetensors(shards(index));
  assert.equal(file.tensors.size, 3);
  for (const [name, { shape, values }] of Object.entries(golden.safetensors.tensors)) {
    assert.deepEqual(file.tensors.get(name)?.shape, shape);
    assert.deepEqual(file.read(name), floatsOf(values), name);
  }
  file.close();
});

/** The whole message on opening the file, without the folder, and the mend. */
function complaint(open: () => unknown): string {
  try {
    open();
  } catch (error) {
    assert(error instanceof InputError, `${error}`);
    const [{ code, message, hint }] = error.diagnostics;
    assert(hint);
    return `${code}: ${message.replace(/\S*\//g, "")}`;
  }
  return "nothing";
}

const wrongFiles: Record<string, [() => unknown, string]> = {
  "another format": [
    () => openGguf(fileOf("x.gguf", new TextEncoder().encode("PK\u0003\u0004 and more"))),
    'model/format: Cannot read model x.gguf: it begins with "PK\\u0003\\u0004", ' +
    'a GGUF file with "GGUF"',
  ],
  "big-endian": [
    () => openGguf(fileOf("x.gguf", changed(small(), 4, 0, 0, 0, 3))),
    "model/version: Cannot read model x.gguf: it is big-endian, little-endian files are read",
  ],
  "version 1": [
    () => openGguf(fileOf("x.gguf", changed(small(), 4, 1))),
    "model/version: Cannot read model x.gguf: it is GGUF version 1, versions 2 and 3 are read",
  ],
  "a header without end": [
    () => openGguf(fileOf("x.gguf", small().slice(0, 100))),
    "model/truncated: Cannot read model x.gguf: it ends after 100 bytes, 102 are wanted",
  ],
  "a tensor beyond the end": [
    () => openGguf(fileOf("x.gguf", small().slice(0, -100))),
    `model/truncated: Cannot read model x.gguf: tensor "q6_k" wants bytes ${
      small().length - 1280
    } to ${small().length - 20}, the file has ${small().length - 100}`,
  ],
  "an unknown block type": [
    () => {
      const bytes = small();
      const at = indexOf(bytes, "q8_0") + 4 + 4 + 16;
      return openGguf(fileOf("x.gguf", changed(bytes, at, 16)));
    },
    'model/block-type: Cannot read model x.gguf: tensor "q8_0" is of block type 16, read are ' +
    "F32, F16, Q4_0, Q4_1, Q8_0, Q4_K, Q6_K, BF16",
  ],
  "a tensor that is not there": [
    () => openGguf(fileOf("x.gguf", small())).read("blk.0"),
    'model/tensor: Cannot read model x.gguf: there is no tensor "blk.0"',
  ],
  "no shard": [
    () => openSafetensors(shards({ ...index, d: "3.safetensors" })),
    "model/file: Cannot read model 3.safetensors: there is no such file",
  ],
  "a tensor that no shard has": [
    () => openSafetensors(shards({ ...index, d: "2.safetensors" })),
    "model/tensor: Cannot read model model.safetensors.index.json: " +
    'it lists tensor "d", which no shard has',
  ],
  "a truncated shard": [
    () =>
      openSafetensors(
        fileOf("x.safetensors", bytesOf(golden.safetensors.files["2.safetensors"]).slice(0, -1)),
      ),
    'model/truncated: Cannot read model x.safetensors: tensor "c" wants bytes 72 to 96, ' +
    "the file has 95",
  ],
  "an element type of integers": [
    () => {
      const bytes = bytesOf(golden.safetensors.files["1.safetensors"]);
      const at = indexOf(bytes, '"F32"');
      return openSafetensors(
        fileOf("x.safetensors", changed(bytes, at, ...new TextEncoder().encode('"I32"'))),
      );
    },
    'model/element-type: Cannot read model x.safetensors: tensor "a" is of type I32, read are ' +
    "F32, F16, BF16",
  ],
};

for (const [name, [open, message]] of Object.entries(wrongFiles)) {
  Deno.test(`${name} is refused with what was found and what was wanted`, () => {
    assert.equal(complaint(open), message);
  });
}
