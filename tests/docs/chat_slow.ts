/** The page about conversations, run as it stands, by a tiny model under the name of the published one. */
import assert from "node:assert/strict";
import { addModel } from "../../src/models/store/add_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { openModel } from "../../src/models/store/language_model.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { type CommandLine, withProject } from "../cli/command_line.ts";
import { read } from "./markdown.ts";
import { runPage } from "./run_page.ts";

/** As SmolLM2's, without its system text. */
const template = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n" +
  "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

const page = "docs/chat.md";

Deno.test("the page about conversations runs from check to export, and bad files are found early", async () => {
  await withProject([], async (project) => {
    await addTiny(project);
    const [chat, heldOut] = blocks("jsonl");
    const [pipeline] = blocks("toml");
    project.write("chat.jsonl", chat);
    project.write("held_out.jsonl", heldOut);
    project.write("chat.toml", pipeline);
    assert.ok(pipeline.trimEnd().split("\n").length <= 26);
    assert.equal(await runPage(page, project), 4);
    await served(project);
    await measured(project);
    await wrong(project);
  });
});

function blocks(language: string): string[] {
  const found = read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"));
  return [...found].map(([, text]) => text);
}

/** Under the name of the published one. */
async function addTiny(project: CommandLine): Promise<void> {
  const folder = project.path("tiny");
  writeRandomCheckpoint(folder, "chat");
  Deno.writeTextFileSync(`${folder}/chat_template.jinja`, template);
  await addModel(new ModelStore(project.root), folder, { name: "smollm2-135m" });
}

/** The exported folder is a model with a tokenizer, and answers as the policy does. */
async function served(project: CommandLine): Promise<void> {
  const names = ["chat_template.jinja", "config.json", "model.safetensors", "tokenizer.json"];
  assert.deepEqual(project.list("served"), [...names, "tokenizer_config.json"]);
  const store = new ModelStore(project.root);
  await addModel(store, project.path("served"), { name: "served" });
  const { score, entry } = openModel(store, "served");
  assert.equal(entry.chat_template, template);
  const given = "<|im_start|>user\nCapital of Chile?<|im_end|>\n<|im_start|>assistant\n";
  const { logProbabilities } = score({ given, scored: "Santiago", chat: true });
  const own = logProbabilities.reduce((sum, one) => sum + one, 0);
  const other = score({ given: given.replace("Chile", "Ghana"), scored: "Accra", chat: true });
  const mean = (own + other.logProbabilities.reduce((sum, one) => sum + one, 0)) / 2;
  const [{ value }] = await project.query(
    "select value from evaluation where measure = 'log_likelihood'",
  ) as { value: number }[];
  assert.ok(Math.abs(value - mean) < 1e-3, `${value} is not ${mean}`);
}

async function measured(project: CommandLine): Promise<void> {
  const rows = await project.query("select measure from evaluation") as { measure: string }[];
  const names = rows.map(({ measure }) => measure);
  assert.deepEqual(names, [
    "exact_match",
    "log_likelihood",
    "log_likelihood_per_token",
    "distinct",
  ]);
  const [{ turns }] = await project.query(
    "select count(*) as turns from metric where stage = 'tuned' and name = 'loss'",
  ) as { turns: number }[];
  assert.equal(Number(turns), 18); // six times the six answers of five lines, two a step
}

async function wrong(project: CommandLine): Promise<void> {
  const check = async () => (await project.sluice("check", "chat.toml")).err;
  project.edit(
    "chat.jsonl",
    '"role": "assistant", "content": "Lima"',
    '"role": "asistant", "content": "Lima"',
  );
  assert.match(await check(), /chat\.jsonl:1 as an example: message 2 is of role "asistant"/);
  project.edit("chat.toml", "context = 128", "context = 400");
  assert.match(await check(), /context is 400, and it reads 128 tokens/);
  project.edit("chat.toml", "most_tokens = 24", 'most_tokens = 24\nmask = "trie"');
  assert.match(
    (await project.sluice("run", "chat.toml")).err,
    /lists the objects of an environment/,
  );
}
