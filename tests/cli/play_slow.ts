/** Experiments from the command line: agents of every kind play the same worlds, and bad ones are told what to mend. */
import assert from "node:assert/strict";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { withProject } from "./command_line.ts";

const program = `import pymc as pm

with pm.Model() as model:
    slope = pm.Normal("slope", 1, 0.5)
    pm.Normal("y", slope * data["x"], 0.2, observed=data["y"])
`;
const experiment = `format = 1
name = "line"
program = '''
${program}'''
response = { name = "y", type = "real" }
story = "A line."
plain_story = "A line."
words = "at {x} it is {y}"
inputs.x = { type = "real", low = 0, high = 2 }
`;
const stage = (name: string, rest: string) => `
[stages.${name}]
kind = "play"
inputs = { experiment = "line.experiment"${
  name === "solver" ? ', programs = "files.environment"' : ""
} }
episodes = 3
budget = 2
checkpoints = [0]
particles = 200
draws = 64
candidates = 6
fresh = 20
${rest}
`;
/** A theory of the lamp of docs/examples, which is not true. */
const lamp = `import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0, 2)
    b = pm.Normal("b", 0, 2)
    pm.Bernoulli("light", logit_p=a + b * (data["dose"] / 5 - 1), observed=data["light"])
`;
const lampStage = (name: string, agent: string) =>
  stage(name, `agent = "${agent}"`).replace('"line.experiment"', '"lamp.experiment"')
    .replace("}\nepisodes = 3", ', programs = "lamps.environment" }\nepisodes = 2');
const own = `format = 1
[stages.lamp]
kind = "experiment"
module = "./docs/examples/threshold_experiment.ts"
[stages.lamps]
kind = "program_files"
paths = ["lamps/lamp.py"]
${lampStage("even", "grid")}${lampStage("chance", "random")}`;
const pipeline = `format = 1
[stages.line]
kind = "experiment"
path = "line.toml"
calibration = 20
[stages.files]
kind = "program_files"
paths = ["line.py", "bent.py"]
${stage("random", 'agent = "random"')}${stage("grid", 'agent = "grid"')}${
  stage("information", 'agent = "information"')
}${stage("solver", 'agent = "information"')}${
  stage("script", 'agent = { kind = "script", path = "asked.jsonl" }')
}`;
const script = [
  { query: { x: 7 } },
  { query: { x: 2 } },
  { query: { x: 1 } },
  { submit: "unused: the budget is spent" },
].map((one) => JSON.stringify(one)).join("\n");

Deno.test("agents play the same worlds, the report says who asked best, and a program that is submitted is judged", async () => {
  await withProject([], async (project) => {
    project.write("line.toml", experiment);
    project.write("line.py", program);
    project.write(
      "bent.py",
      program.replace('slope * data["x"]', 'slope * pm.math.tanh(data["x"])'),
    );
    project.write("asked.jsonl", script);
    project.write("p.toml", pipeline);
    const { code, out, err } = await project.sluice("run", "p.toml");
    assert.equal(code, 0, err);
    assert.match(out, /line, 3 episodes an agent[\s\S]*asked better than random by/);
    const sql =
      "select stage, count(*) n, count(distinct latents::varchar) worlds, sum(refusals) refused, " +
      "count(log_score) scored from episode group by stage order by stage";
    const asked = await project.sluice("query", "--run", "last", "--format", "json", sql);
    const rows = JSON.parse(asked.out);
    assert.equal(rows.length, 5);
    for (const { stage, n, worlds, refused, scored } of rows) {
      assert.deepEqual([Number(n), Number(worlds), Number(scored)], [3, 3, 3], stage);
      assert.equal(Number(refused), stage === "script" ? 3 : 0);
    }
    const worlds = await project.sluice(
      "query",
      "--run",
      "last",
      "--format",
      "json",
      "select count(distinct latents::varchar) n from episode",
    );
    assert.equal(Number(JSON.parse(worlds.out)[0].n), 3);

    const twice = [{ query: { x: 2 } }, { submit: program }];
    for (const actions of [twice, twice.slice(1)]) {
      project.write("asked.jsonl", actions.map((one) => JSON.stringify(one)).join("\n"));
      const submitted = await project.sluice("run", "p.toml", "--only", "script");
      assert.equal(submitted.code, 0, submitted.err);
      const found = await project.sluice(
        "query",
        "--run",
        "last",
        "--format",
        "json",
        "select status, reason, log_score from episode where stage = 'script'",
      );
      const [{ status, reason, log_score }] = JSON.parse(found.out);
      if (actions === twice) assert.ok(status === "ok" && Number.isFinite(Number(log_score)));
      else assert.ok(status === "refused" && /none was/.test(reason), `${status} ${reason}`);
    }
    project.write("asked.jsonl", "x = 1");
    const bad = await project.sluice("run", "p.toml", "--only", "script");
    assert.match(bad.err, /line 1 is no action/);
    project.write("line.toml", experiment.replace('pm.Normal("slope"', 'pm.Nromal("slope"'));
    const wrong = await project.sluice("run", "p.toml");
    assert.notEqual(wrong.code, 0);
    assert.match(wrong.err, /Nromal/);
  });
});

Deno.test("a language model of random weights plays: what it says is refused, recorded and counted", async () => {
  await withProject([], async (project) => {
    project.write("line.toml", experiment);
    const template = "{% for m in messages %}{{ m.content }}{% endfor %}";
    writeRandomCheckpoint(project.path("tiny"), "seed 20", { context: 2048 });
    project.write("tiny/chat_template.jinja", template);
    assert.equal((await project.sluice("model", "add", "tiny")).code, 0);
    const asked = `format = 1
[stages.line]
kind = "experiment"
path = "line.toml"
calibration = 0
[stages.texts]
kind = "tokens"
model = "tiny"
mask = "none"
most_tokens = 6
[stages.model]
kind = "policy"
inputs = { environment = "texts.environment" }
policy = { kind = "language_model", model = "tiny", adapter = { rank = 4 }, context = 2048, backend = "fused" }
${
      stage("asked", 'agent = { kind = "language_model", actions = "text" }').replace(
        '"line.experiment"',
        '"line.experiment", policy = "model.policy", texts = "texts.environment"',
      )
    }`;
    project.write("asked.toml", asked);
    const { code, err } = await project.sluice("run", "asked.toml", "--quiet");
    assert.equal(code, 0, err);
    const asking = async (sql: string) => {
      const { out } = await project.sluice("query", "--run", "last", "--format", "json", sql);
      return JSON.parse(out)[0];
    };
    // Three worlds, two queries, three refusals each.
    const turns = await asking(
      "select count(*)::int n, bool_and(refused and reason is not null) refused from turn",
    );
    assert.deepEqual([Number(turns.n), turns.refused], [18, true]);
    assert.equal((await asking("select min(tokens) > 500 many from episode")).many, true);
    project.write("bare.toml", asked.replace(', texts = "texts.environment"', ""));
    const bare = await project.sluice("run", "bare.toml", "--quiet");
    assert.match(bare.err, /wants a language model and its free texts/);
    assert.notEqual(bare.code, 0);
  });
});

Deno.test("a world of one's own is played by all agents alike", async () => {
  await withProject(["docs/examples/threshold_experiment.ts"], async (project) => {
    project.write("lamps/lamp.py", lamp);
    project.write("own.toml", own);
    const { code, err, out } = await project.sluice("run", "own.toml");
    assert.equal(code, 0, err);
    assert.match(out, /2 episodes an agent, least error first/);
    assert.match(out, /answered better than \w+ by/);
    const asked = `select count(distinct agent)::int agents, count(distinct truth)::int truths
      from question where checkpoint = 2 group by seed, episode, question`;
    const pairs = await project.query<{ agents: number; truths: number }>(
      asked.replace("seed, ", ""),
    );
    assert(pairs.length >= 2 * 10);
    assert(pairs.every(({ agents, truths }) => agents === 2 && truths === 1), "the same worlds");
    const [{ n }] = await project.query<{ n: number }>(
      "select count(*)::int n from turn where nats is not null",
    );
    assert.equal(n, 0);
    project.write("bare.toml", own.replaceAll(', programs = "lamps.environment"', ""));
    const bare = await project.sluice("run", "bare.toml", "--quiet");
    assert.match(bare.err, /its world is a module, and no theory is wired/);
    assert.notEqual(bare.code, 0);
  });
});
