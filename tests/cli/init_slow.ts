/** From a file to a pipeline: `data` and `init`. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";

const csv = ["x;site;seen"];
for (let i = 0; i < 24; i++) csv.push(`${i % 7},5;${"ab"[i % 2]};${(i * 5) % 4}`);

Deno.test("init writes a pipeline that check accepts, and replaces nothing unasked", () =>
  withProject([], async (project) => {
    project.write("seen.csv", csv.join("\n") + "\n");
    const shown = await project.sluice("data", "seen.csv", "--response", "seen");
    assert.equal(shown.code, 0, shown.err);
    assert.match(shown.out, /seen +count +response/);
    assert.match(shown.out, /\[stages\.data\.columns\]\nx = \{ role = "predictor" \}/);
    const written = await project.sluice("init", "seen.csv", "--response", "seen");
    assert.equal(written.code, 0, written.err);
    assert.match(written.out, /seen ~ \[x\] \+ \[site\]/);
    assert.match(written.err, /next: deno task sluice run seen\.toml/);
    const checked = await project.sluice("check", "seen.toml");
    assert.equal(checked.code, 0, checked.err);
    const again = await project.sluice("init", "seen.csv", "--response", "seen");
    assert.equal(again.code, 2);
    assert.match(again.err, /seen\.toml: it is there already/);
    const forced = ["--force", "--formula", "seen ~ x", "--families", "poisson"];
    const replaced = await project.sluice("init", "seen.csv", "--response", "seen", ...forced);
    assert.equal(replaced.code, 0, replaced.err);
    assert.match(project.read("seen.toml"), /formula = "seen ~ x"\nfamilies = \["poisson"\]/);
  }));

/** 17 questions of two answers: 131,072 programs. */
const names = Array.from({ length: 17 }, (_, i) => `c${i}`);
const wide = Array.from(
  { length: 120 },
  (_, row) => [...names.map((_, i) => (row * (row + i)) % 13), (row * 5) % 4].join(","),
);

Deno.test("of more programs than are scored one by one, init has a policy learn in four lines", () =>
  withProject([], async (project) => {
    project.write("wide.csv", [[...names, "seen"].join(","), ...wide].join("\n") + "\n");
    const formula = `seen ~ ${names.map((name) => `[${name}]`).join(" + ")}`;
    const asked = ["--response", "seen", "--formula", formula, "--families", "poisson"];
    const written = await project.sluice("init", "wide.csv", ...asked);
    assert.equal(written.code, 0, written.err);
    assert.match(written.err, /131072 programs: too many to score each/);
    assert.match(project.read("wide.toml"), /^confirm = 0\.2$/m);
    const [, block] = project.read("wide.toml").split(/^# Too many .*\n/m);
    assert.equal(
      block,
      '[stages]\nuse = "sluice:configs/training.toml"\n[stages.train]\nsteps = 1000 # × 32 trajectories\n',
    );
    const checked = await project.sluice("check", "wide.toml");
    assert.equal(checked.code, 0, checked.err);
    assert.match(checked.err, /10 stages/);
  }));

Deno.test("what cannot be explained is said, with what to do", () =>
  withProject([], async (project) => {
    const colours = csv.map((line, i) => `${line};${i === 0 ? "colour" : "rgb"[i % 3]}`);
    project.write("seen.csv", colours.join("\n") + "\n");
    for (
      const [args, message] of [
        [["--response", "sen"], /did you mean "seen"/],
        [["--response", "colour", "--space", "growth"], /it is a category/],
        [
          ["--formula", "seen ~ [zz]"],
          /formula:1:9: Cannot use "zz": the data have no such column/,
        ],
        [[], /no option names the response/],
        [["--response", "seen", "--families", "poison"], /did you mean "poisson"/],
        [["--response", "seen", "--formula", "seen ~ [x"], /where "\]" is wanted/],
      ] as const
    ) {
      const { code, err } = await project.sluice("init", "seen.csv", ...args);
      assert.equal(code, 2, err);
      assert.match(err, message);
    }
  }));

Deno.test("rank answers a formula on a data file, in its words", () =>
  withProject([], async (project) => {
    project.write("seen.csv", csv.join("\n") + "\n");
    const asked = ["--formula", "seen ~ [x]", "--families", "poisson,negative_binomial"];
    const args = ["rank", "seen.csv", "--response", "seen", ...asked, "--json"];
    const { code, out, err } = await project.sluice(...args);
    assert.equal(code, 0, err);
    const { programs, questions } = JSON.parse(out);
    assert.equal(programs, 4);
    assert.deepEqual(questions.map((one: { question: string }) => one.question), ["x", "family"]);
    assert.deepEqual(
      questions[0].answers.map((one: { answer: string }) => one.answer).sort(),
      ["in", "out"],
    );
    const mute = await project.sluice("rank", "seen.csv");
    assert.equal(mute.code, 2);
    assert.match(mute.err, /add --response COLUMN, or --formula/);
  }));
