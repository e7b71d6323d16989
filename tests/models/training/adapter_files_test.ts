/** Adapters and merged weights as files, and reports of their faults. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openCheckpoint } from "../../../src/models/decoder/checkpoint.ts";
import { Decoder } from "../../../src/models/decoder/decoder.ts";
import { readWeights } from "../../../src/models/decoder/weights.ts";
import decoders from "../../golden/decoders.json" with { type: "json" };
import { farthest } from "../checkpoints.ts";
import { goldenTree, setWaves, tinyNames, trainTiny } from "./golden_tree.ts";
import { temporaryFolder } from "../../temporary_folder.ts";

for (const name of tinyNames) {
  Deno.test(`an adapter of ${name} comes back from its files`, () => {
    const [first, second] = [trainTiny(name), trainTiny(name, { seedKey: "another" })];
    setWaves(first);
    const files = first.saveAdapter();
    assert.deepEqual([...files.keys()], ["adapter_model.safetensors", "adapter_config.json"]);
    second.loadAdapter(files);
    assert.deepEqual(second.parameters(), first.parameters());
    const settings = JSON.parse(new TextDecoder().decode(files.get("adapter_config.json")));
    const last = name === "gpt2" ? "transformer.h.1.mlp.c_proj" : "model.layers.1.mlp.up_proj";
    assert(settings.target_modules.includes(last));
    assert.equal(settings.fan_in_fan_out, name === "gpt2");
  });

  Deno.test(`merged weights of ${name} score as base and adapter do`, () => {
    const model = trainTiny(name);
    setWaves(model);
    const folder = temporaryFolder();
    for (const [file, bytes] of model.saveMerged()) Deno.writeFileSync(join(folder, file), bytes);
    const { config, file } = openCheckpoint(folder);
    const merged = new Decoder(config, readWeights(file, config));
    file.close();
    const { ids } = decoders.cases[name];
    const { tree } = goldenTree(name, 1);
    const rows = ids.slice(1).map((id, node) => ({
      node,
      legal: "all" as const,
      picked: Int32Array.of(id),
    }));
    const pass = model.pass(tree, rows, { grad: false });
    const own = pass.logProbabilities.map(([score]) => score);
    pass.release();
    assert(farthest(merged.logProbabilities([{ ids, from: 1 }])[0], own) < 2e-5);
  });
}

/** The message. */
function complaint(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing";
}

const tiny = () => trainTiny("llama");
const bytes = (text: string) => new TextEncoder().encode(text);
const changed = (name: string, content: Uint8Array) => () => {
  tiny().loadAdapter(new Map([...tiny().saveAdapter(), [name, content]]));
};

const wrong: Readonly<Record<string, [() => unknown, RegExp]>> = {
  "a target that matches no map": [
    () => trainTiny("llama", { adapter: { rank: 4, alpha: 8, targets: ["q_prj"] } }),
    /^Cannot adapt a model: target "q_prj" matches no map$/,
  ],
  "no targets": [
    () => trainTiny("llama", { adapter: { rank: 4, alpha: 8, targets: [] } }),
    /it has no targets$/,
  ],
  "a rank that is no multiple of four": [
    () => trainTiny("llama", { adapter: { rank: 6, alpha: 8, targets: "all-linear" } }),
    /rank is 6, a positive multiple of 4 is wanted$/,
  ],
  "an adapter of another base": [
    () =>
      trainTiny("llama", { base: { name: "b", sha256: "fedc" } }).loadAdapter(tiny().saveAdapter()),
    /^Cannot load adapter: it is of the base 0123456789ab, this is fedc$/,
  ],
  "an adapter of another rank": [
    () =>
      trainTiny("llama", { adapter: { rank: 8, alpha: 6, targets: "all-linear" } })
        .loadAdapter(tiny().saveAdapter()),
    /^Cannot load adapter: r is 4, here it is 8$/,
  ],
  "an adapter of other maps": [
    () =>
      trainTiny("llama", { adapter: { rank: 4, alpha: 6, targets: ["q_proj"] } })
        .loadAdapter(tiny().saveAdapter()),
    /^Cannot load what was trained: it has tensor ".*down_proj.lora_A.weight", which is not trained here$/,
  ],
  "an adapter of another architecture": [
    () => trainTiny("gpt2", { base: tiny().options.base }).loadAdapter(tiny().saveAdapter()),
    /there is no tensor "base_model.model.transformer.h.0.attn.c_attn.lora_A.weight", one of \[4, 16\]/,
  ],
  "an adapter without settings": [
    () => tiny().loadAdapter(new Map()),
    /^Cannot load adapter: there is no adapter_config.json$/,
  ],
  "settings that are no JSON": [
    changed("adapter_config.json", bytes("{")),
    /adapter_config.json is not JSON/,
  ],
  "weights that are cut off": [
    changed("adapter_model.safetensors", bytes("short")),
    /adapter_model.safetensors: Cannot read safetensors: no whole header$/,
  ],
  "an id beyond the vocabulary": [
    () => tiny().pass({ ids: Int32Array.of(99), parents: Int32Array.of(-1) }, [], { grad: false }),
    /^Cannot use a token tree: id 99 of node 0 is beyond the vocabulary of 99$/,
  ],
  "a parent behind its child": [
    () =>
      tiny().pass({ ids: Int32Array.of(1, 2), parents: Int32Array.of(1, -1) }, [], { grad: false }),
    /node 0 has parent 1, which is not before it$/,
  ],
  "a path longer than the context": [
    () => {
      const ids = new Int32Array(65);
      tiny().pass({ ids, parents: ids.map((_, i) => i - 1) }, [], { grad: false });
    },
    /a path has 65 tokens, there is room for 64$/,
  ],
  "a node that the tree does not have": [
    () => {
      const tree = { ids: Int32Array.of(1), parents: Int32Array.of(-1) };
      tiny().pass(tree, [{ node: 1, legal: Int32Array.of(1) }], { grad: false });
    },
    /^Cannot score a token tree: there is no node 1$/,
  ],
  "a node behind which nothing is legal": [
    () => {
      const tree = { ids: Int32Array.of(1), parents: Int32Array.of(-1) };
      tiny().pass(tree, [{ node: 0, legal: new Int32Array(0) }], { grad: false });
    },
    /^Cannot score a token tree: nothing is legal behind node 0$/,
  ],
};

for (const [name, [run, message]] of Object.entries(wrong)) {
  Deno.test(`${name} is refused`, () => assert.match(complaint(run), message));
}
