/** A model that writes PyMC for a CSV of one's own, as its pipeline stands: masks, with and without thought. */
import assert from "node:assert/strict";
import { addModel } from "../../src/models/store/add_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { type CommandLine, withProject } from "../cli/command_line.ts";

const example = "docs/examples/written_programs.toml";

/** Of bytes where the published model's tokens are words, and few of everything. */
const small = `[stages.texts]
most_tokens = 280
[stages.start]
policy = { kind = "language_model", model = "smollm2-135m", adapter = { rank = 4 }, context = 480 }
epochs = 1
[stages.train]
steps = 1
[stages.train.stages.sample]
batch_size = 2
[stages.answers]
samples = 2
best_of = 1
`;

const thought = small
  .replace("[stages.texts]", `[stages.texts]\nthinking = { most_tokens = 30 }`)
  .replace("[stages.start]", `[stages.start]\nthinking = "kept"`);

async function addTiny(project: CommandLine): Promise<void> {
  const folder = project.path("tiny");
  writeRandomCheckpoint(folder, "written", { context: 512 });
  const template = "{% for m in messages %}{{ m.role }}: {{ m.content }}<|im_end|>\n{% endfor %}" +
    "{% if add_generation_prompt %}assistant: {% endif %}";
  Deno.writeTextFileSync(`${folder}/chat_template.jinja`, template);
  await addModel(new ModelStore(project.root), folder, { name: "smollm2-135m" });
}

Deno.test("programs are written and scored under either mask, thought or not", async (test) => {
  const files = [example, "docs/examples/fields.csv", "docs/examples/fields.jsonl"];
  await withProject(files, async (project) => {
    await addTiny(project);
    for (
      const [name, overlay] of [
        ["language", small],
        ["language, with thought", thought],
        ["none, with thought", thought.replace("[stages.texts]", `[stages.texts]\nmask = "none"`)],
      ]
    ) {
      await test.step(name, async () => {
        project.write("small.toml", overlay);
        const { code, err } = await project.sluice("run", example, "@small.toml");
        assert.equal(code, 0, err);
        const learnt = await project.query<{ program: string; log_reward: number }>(
          "select program, log_reward from trajectory where stage = 'start'",
        );
        assert.equal(learnt.length, 3);
        for (const { program, log_reward } of learnt) {
          assert.ok(program.startsWith("import pymc as pm\n"), program);
          assert.ok(log_reward > -100, `${log_reward}: it is scored as a program`);
        }
        const [{ written }] = await project.query<{ written: number }>(
          "select count(*) as written from trajectory where stage = 'train.judge'",
        );
        assert.equal(written, 2);
      });
    }
  });
});
