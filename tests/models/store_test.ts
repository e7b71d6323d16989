/** Models are added, found, opened and removed; faults of a model are reported before it is used. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { InputError, MissingPartError } from "../../src/base/diagnostic.ts";
import { addModel } from "../../src/models/store/add_model.ts";
import { openModel } from "../../src/models/store/language_model.ts";
import { sharedWeights } from "../../src/models/store/model_weights.ts";
import { openTokens } from "../../src/models/store/model_tokens.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { farthest, tinyFolder } from "./checkpoints.ts";
import { temporaryFolder } from "../temporary_folder.ts";

/** A project with a tiny model that was added as `tiny`. */
async function tinyProject(): Promise<{ readonly store: ModelStore; readonly from: string }> {
  const root = temporaryFolder();
  const from = join(root, "source", "Tiny");
  writeRandomCheckpoint(from, "seed 20");
  Deno.writeTextFileSync(join(from, "README.md"), "---\nlanguage: en\nlicense: mit\n---\n# Tiny\n");
  const store = new ModelStore(root);
  await addModel(store, from);
  return { store, from };
}

/** Class, message without paths, and mend. */
async function complaint(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    assert(error instanceof InputError || error instanceof MissingPartError, `${error}`);
    const mend = error instanceof InputError ? error.diagnostics[0].hint : error.remedy;
    return `${error.name}: ${error.message.replace(/\S*\//g, "")} | ${mend}`;
  }
  return "nothing";
}

Deno.test("a folder is added once, whole, and found by name and digest", async () => {
  const { store, from } = await tinyProject();
  const [entry] = store.list();
  assert.deepEqual([entry.name, entry.architecture, entry.licence], ["tiny", "qwen3", "mit"]);
  assert.deepEqual(entry.files.map(({ name }) => name), [
    ...["model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json"],
  ]);
  assert.deepEqual(entry.begin, { token: "<|endoftext|>", id: 256 });
  assert.deepEqual(entry.end, { token: "<|im_end|>", id: 257 });
  assert.equal(store.find(entry.sha256.slice(0, 8)).name, "tiny");
  const again = await addModel(store, from, { name: "other" });
  assert.equal(again.sha256, entry.sha256);
  assert.deepEqual(store.list().map(({ name }) => name), ["other"]);
  assert.deepEqual(readdirSync(store.folder), [entry.sha256], "nothing temporary is left");
  store.remove("other");
  assert.deepEqual(store.list(), []);
  assert(!existsSync(join(store.folder, entry.sha256)));
});

Deno.test("a tokenizer alone reads texts, and says that its weights are missing", async () => {
  const { store, from } = await tinyProject();
  const whole = openTokens(store, "tiny");
  Deno.removeSync(join(from, "model.safetensors"));
  const entry = await addModel(store, from, { name: "words", tokenizerOnly: true });
  assert.deepEqual(entry.files.map(({ name }) => name), [
    ...["config.json", "tokenizer.json", "tokenizer_config.json"],
  ]);
  const { tokenizer } = openTokens(store, "words");
  assert.deepEqual(tokenizer.encode("a = 1"), whole.tokenizer.encode("a = 1"));
  assert.equal(entry.tokenizer.sha256, whole.entry.tokenizer.sha256);
  assert.match(await complaint(() => openModel(store, "words")), /its tokenizer alone was added/);
  assert.match(await complaint(() => sharedWeights(store, entry)), /with its weights$/);
  const file = join(from, "config.json");
  const folder = await complaint(() => addModel(store, file, { tokenizerOnly: true }));
  assert.match(folder, /a tokenizer alone is that of a folder/);
});

Deno.test("an opened model scores the tokens of a text given those before, and its end", async () => {
  const { store } = await tinyProject();
  const { score, decoder } = openModel(store, "tiny");
  const whole = score({ scored: "a = 1" });
  assert.deepEqual(whole.ids, [256, 97, 32, 61, 32, 49, 257]);
  assert.equal(whole.from, 1);
  const part = score({ given: "a =", scored: " 1", ends: false });
  assert.deepEqual([part.ids, part.from], [whole.ids.slice(0, -1), 4]);
  assert(farthest(part.logProbabilities, whole.logProbabilities.slice(3, 5)) < 1e-6);
  const [all] = decoder.logProbabilities([{ ids: whole.ids, from: 1 }]);
  assert.deepEqual(all, whole.logProbabilities);
});

Deno.test("a model that was not added ends with the command that adds it", async () => {
  const { store } = await tinyProject();
  assert.equal(
    await complaint(() => openModel(store, "smollm2-135m")),
    'MissingPartError: Cannot use model "smollm2-135m": it was not added | ' +
      "deno task sluice model add smollm2-135m",
  );
  assert.match(
    await complaint(() => store.remove("smolm2-135m")),
    /did you mean "smollm2-135m"\? \| deno task sluice model add smollm2-135m$/,
  );
  assert.match(
    await complaint(() => store.find("tny")),
    /did you mean "tiny"\? \| deno task sluice model list$/, // it is there: nothing is to be added
  );
  assert.match(await complaint(() => store.find("x")), /not added; known are tiny, smollm2-135m/);
});

Deno.test("a model whose files were changed is not opened", async () => {
  const { store } = await tinyProject();
  const folder = store.folderOf(store.find("tiny"));
  const path = join(folder, "model.safetensors");
  const bytes = Deno.readFileSync(path);
  bytes[bytes.length - 1] ^= 1;
  Deno.writeFileSync(path, bytes);
  assert.match(
    await complaint(() => openModel(store, "tiny")),
    /^InputError: Cannot use model: the SHA-256 of model.safetensors is [0-9a-f]{64}, model.json says/,
  );
});

Deno.test("too little memory is said before anything is loaded, with the number", async () => {
  const { store } = await tinyProject();
  assert.equal(
    await complaint(() => openModel(store, "tiny", { freeBytes: 1e8 })),
    'MissingPartError: Cannot open model "tiny": in single precision it takes 0.20 GB of memory, ' +
      "0.10 GB are free | end other programs, or choose a smaller model",
  );
  const entry = store.find("tiny");
  assert.match(
    await complaint(() => sharedWeights(store, entry, 3e8, { rank: 4 })),
    /Cannot train model "tiny": in single precision it takes 0.57 GB of memory, 0.30 GB are free/,
  );
  assert.match(
    await complaint(() => sharedWeights(store, entry, 3e8, "full")),
    /train an adapter instead of all weights/,
  );
});

Deno.test("what cannot be a model leaves nothing behind", async () => {
  const { store, from } = await tinyProject();
  const before = readdirSync(store.folder);
  const wrong: [() => unknown, RegExp][] = [
    [
      () => addModel(store, tinyFolder("llama")),
      /tokenizer.json: there is no such file \| put the/,
    ],
    [() => addModel(store, join(from, "config.json")), /neither in .gguf nor in .safetensors/],
    [() => addModel(store, join(from, "nowhere")), /there is no such file or folder/],
    [() => addModel(store, from, { name: "a/b" }), /Cannot add a model as .*--name$/],
  ];
  for (const [run, message] of wrong) assert.match(await complaint(run), message);
  assert.deepEqual(readdirSync(store.folder), before);
});

Deno.test("weights that are no numbers are refused when they are added, with their tensor", async () => {
  const from = join(temporaryFolder(), "Tiny");
  writeRandomCheckpoint(from, "seed 20");
  const path = join(from, "model.safetensors");
  const bytes = Deno.readFileSync(path);
  new DataView(bytes.buffer).setFloat32(bytes.length - 4, NaN, true);
  Deno.writeFileSync(path, bytes);
  const store = new ModelStore(temporaryFolder());
  const said = await complaint(() => addModel(store, from));
  assert.match(said, /number \d+ of tensor "[\w.]+" is NaN, a finite one is wanted .*get it again/);
  assert.deepEqual(store.list(), []);
});

Deno.test("a model of which a file is gone says which, and is to be added again", async () => {
  const { store } = await tinyProject();
  const [entry] = store.list();
  Deno.removeSync(join(store.folderOf(entry), "model.safetensors"));
  for (const open of [() => openModel(store, "tiny"), () => openTokens(store, "tiny")]) {
    assert.match(await complaint(open), /model\.safetensors.*(not there|no longer).*add it again/);
  }
});

Deno.test("a model.json that is none is refused with the place in it", async () => {
  const { store } = await tinyProject();
  const path = join(store.folderOf(store.find("tiny")), "model.json");
  const entry = JSON.parse(Deno.readTextFileSync(path));
  Deno.writeTextFileSync(path, JSON.stringify({ ...entry, architecture: "mamba" }));
  assert.match(
    await complaint(() => store.list()),
    /model.json: architecture: .*\| remove its folder/,
  );
});

Deno.test("an empty text is refused, and one longer than the context", async () => {
  const { store } = await tinyProject();
  const { score } = openModel(store, "tiny");
  assert.match(await complaint(() => score({ given: "a", scored: "" })), /it is empty \| score/);
  assert.match(
    await complaint(() => score({ scored: "a".repeat(200) })),
    /^InputError: Cannot score a sequence of 201 tokens: there is room for 128/,
  );
});
