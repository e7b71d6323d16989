/** pipelines/synthstats.toml by the real command line, as configs/synthstats_random.toml says. */
import assert from "node:assert/strict";
import { findCuda } from "../../src/numerics/cuda/find_cuda.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { withProject } from "./command_line.ts";

const files = ["configs", "data/dugongs.csv", "grammars", "pipelines"];
const run = ["run", "pipelines/synthstats.toml", "@configs/synthstats_random.toml"];
const policy = `policy = { kind = "language_model", model = "synthstats-random", context = 2048 }`;

Deno.test("SynthStats' setting runs on random weights; a GPU that is not there is said", async (test) => {
  await withProject(files, async (project) => {
    await test.step("without the model the run says how to add it", async () => {
      const { code, err } = await project.sluice("run", "pipelines/synthstats.toml");
      assert.equal(code, 3);
      assert.match(err, /Cannot use model "qwen3-0.6b": it was not added/);
      assert.match(err, /mend: deno task sluice model add/);
    });
    const name = "synthstats-random";
    writeRandomCheckpoint(project.path(name), "seed 20", { context: 2048 });
    assert.equal((await project.sluice("model", "add", name)).code, 0);
    await test.step("weights in bfloat16 learn, and all 88 programs are counted", async () => {
      const { code, err } = await project.sluice(...run);
      assert.equal(code, 0, err);
    });
    await test.step("on a machine without a GPU backend cuda ends with what to do", async () => {
      project.write(
        "gpu.toml",
        `[stages.warm_start]\n${policy.replace(" }", ', backend = "cuda" }')}`,
      );
      const { code, err } = await project.sluice(...run, "@gpu.toml");
      if ("device" in findCuda()) return assert.equal(code, 0, err);
      assert.equal(code, 3, err);
      assert.match(
        err,
        /Cannot use model "synthstats-random" on backend "cuda": neither libcudart/,
      );
      assert.match(err, /mend: start it on a machine with a GPU, or set backend = "blas"/);
    });
    await test.step("all weights do not learn in bfloat16", async () => {
      const full = policy.replace(" }", ', adapter = "full", precision = "bf16" }');
      project.write("full.toml", `[stages.warm_start]\n${full}`);
      const { code, err } = await project.sluice(...run, "@full.toml");
      assert.equal(code, 2, err);
      assert.match(err, /weights that learn are in f32, and precision is bf16/);
    });
  });
});
