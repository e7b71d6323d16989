/** Faults of agents and submissions, from the command line: each is told, and ends or passes as it should. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";

const program = `import pymc as pm

with pm.Model() as model:
    slope = pm.Normal("slope", 1, 0.5)
    pm.Normal("y", slope * data["x"], 0.2, observed=data["y"])
`;
const experiment = (own = program, budget = "") =>
  `format = 1
name = "line"
program = '''
${own}'''
response = { name = "y", type = "real" }
story = "A line."
plain_story = "A line."
words = "at {x} it is {y}"
inputs.x = { type = "real", low = 0, high = 2 }
${budget}`;
const experimentStage = `format = 1
[stages.line]
kind = "experiment"
path = "line.toml"
calibration = 0
`;
const play = (name: string, agent: string, more = "") => `
[stages.${name}]
kind = "play"
inputs = { experiment = "line.experiment" }
agent = ${agent}
episodes = 1
budget = 1
checkpoints = []
particles = 100
draws = 64
candidates = 2
fresh = 10
${more}`;

const submissions: readonly (readonly [string, string, RegExp])[] = [
  ["nothing", "\n", /it has no model/],
  ["two", program + program.replace("import pymc as pm\n", ""), /Cannot open a second model/],
  ["unobserved", program.replace(', observed=data["y"]', ""), /no variable is observed/],
  ["stranger", program.replace('data["x"]', 'data["z"]'), /no such column/],
];

Deno.test("programs that are submitted and cannot be fitted are refused by name", async () => {
  await withProject([], async (project) => {
    project.write("line.toml", experiment());
    const stages = submissions.map(([name, text]) => {
      const lines = [{ query: { x: 2 } }, { submit: text }].map((one) => JSON.stringify(one));
      project.write(`${name}.jsonl`, lines.join("\n"));
      return play(name, `{ kind = "script", path = "${name}.jsonl" }`).replace(
        "budget = 1",
        "budget = 2",
      );
    });
    project.write("p.toml", experimentStage + stages.join(""));
    const { code, err } = await project.sluice("run", "p.toml");
    assert.equal(code, 0, err);
    const sql = "select stage, status, reason from episode";
    const found = await project.sluice("query", "--run", "last", "--format", "json", sql);
    const rows = JSON.parse(found.out) as { stage: string; status: string; reason: string }[];
    for (const [name, , message] of submissions) {
      const { status, reason } = rows.find(({ stage }) => stage === name)!;
      assert.equal(status, "refused", name);
      assert.match(reason, message);
    }
  });
});

const module = (act: string, before = "") =>
  `import { defineAgent } from "sluice";
${before}
export default defineAgent({
  name: "bad",
  version: 1,
  open: (...given) => ({ act: async (view) => { ${act} } }),
});
`;
const query = 'return { kind: "query", query: { x: 1 } };';
const agents: readonly (readonly [string, string, number, RegExp])[] = [
  [
    "endless",
    "return await new Promise((go) => setTimeout(go, 1e9));",
    1,
    /took longer than 4 seconds/,
  ],
  ["busy", "for (;;);", 1, /took longer than 4 seconds/],
  [
    "opener",
    `Deno.readTextFileSync("/etc/passwd"); ${query}`,
    1,
    /agent "bad": action 1 fails: Requires read access/,
  ],
  [
    "caller",
    `await fetch("http://127.0.0.1:8123"); ${query}`,
    1,
    /agent "bad": action 1 fails: Requires net access/,
  ],
  ["flood", `for (let k = 0; k < 2e5; k++) console.log("x".repeat(100)); ${query}`, 0, /^/],
  [
    "curious",
    `if (/seed|latents|questions/.test(JSON.stringify([view, given]))) throw new Error("told");
     ${query}`,
    0,
    /^/,
  ],
];

Deno.test("agents that never stop, flood, open files or look for seeds are ended, or find nothing", async () => {
  await withProject([], async (project) => {
    project.write("line.toml", experiment());
    const stages = agents.map(([name, act]) => {
      project.write(`${name}.ts`, module(act));
      const isEndless = name === "endless" || name === "busy";
      return play(name, `"./${name}.ts"`, isEndless ? "timeout = 4" : "");
    });
    project.write("p.toml", experimentStage + stages.join(""));
    const { code, err } = await project.sluice("run", "p.toml");
    assert.notEqual(code, 0);
    for (const [name, , failing, message] of agents) {
      if (failing !== 0) assert.match(err, message);
      assert.match(err, new RegExp(`${failing === 0 ? "✓" : "✗"} ${name} `));
    }
  });
});

const theories: readonly (readonly [string, string, RegExp])[] = [
  [
    "an improper prior",
    experiment(program.replace('pm.Normal("slope", 1, 0.5)', 'pm.Flat("slope")')),
    /Cannot use pm\.Flat: an improper prior has no total mass/,
  ],
  [
    "a catalogue that is shorter than the budget",
    experiment().replace("inputs.x =", "[inputs]\ncatalogue = { rows = [{ x = 1 }] }\nx ="),
    /its catalogue has 1 entries that are no questions, the budget is 2/,
  ],
  [
    "a catalogue that is shorter than queries and questions",
    experiment().replace(
      "inputs.x =",
      "[inputs]\ncatalogue = { rows = [{ x = 0 }, { x = 1 }, { x = 2 }] }\nx =",
    ),
    /its catalogue has 1 entries that are no questions, the budget is 2/,
  ],
];

for (const [what, text, message] of theories) {
  Deno.test(`an experiment with ${what} is refused`, async () => {
    await withProject([], async (project) => {
      project.write("line.toml", text);
      project.write(
        "p.toml",
        experimentStage + play("random", '"random"').replace("budget = 1", "budget = 2"),
      );
      const { code, err } = await project.sluice("run", "p.toml");
      assert.notEqual(code, 0);
      assert.match(err, message);
    });
  });
}
