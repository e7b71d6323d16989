/**
 * SmolLM2's token ids by llama.cpp.
 *
 * npm install --ignore-scripts --omit=optional node-llama-cpp@3.22.1 @node-llama-cpp/linux-x64@3.22.1
 * node tools/golden/tokenizer_smollm2.mjs texts.json MODEL.gguf tests/golden/tokenizer_smollm2.json
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

// By a name that type checks do not follow: the library is not among the project's.
const library = "node-llama-cpp";
const { getLlama } = await import(library);
const [textsFile, modelFile, out] = process.argv.slice(2);
const { programs, strange } = JSON.parse(readFileSync(textsFile, "utf8"));
const llama = await getLlama({ gpu: false, build: "never" });
const model = await llama.loadModel({ modelPath: modelFile, vocabOnly: true });
const ids = (text) => [...model.tokenize(text, true)];
const digest = (text) =>
  createHash("sha256").update(ids(text).join(",")).digest("hex").slice(0, 12);
writeFileSync(
  out,
  JSON.stringify({
    made_by: "node-llama-cpp 3.22.1",
    command: "node tools/golden/tokenizer_smollm2.mjs texts.json MODEL.gguf OUT.json",
    programs: programs.map(digest),
    strange: strange.map(ids),
  }),
);
process.exit(0);
