/** Model spaces from the command line: written, shown, ejected, counted, and refused where too large. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";

const months = ["month,sold,died,group"];
for (let i = 0; i < 24; i++) {
  months.push(`${i},${5 + (i * 7) % 11},${i % 3 ? 1 : 0},${"ab"[i % 2]}`);
}

Deno.test("init gives columns the roles that a space wants, and check accepts it", () =>
  withProject([], async (project) => {
    project.write("sold.csv", months.join("\n") + "\n");
    const init = (...args: string[]) =>
      project.sluice("init", "sold.csv", "--response", "sold", "--force", ...args);
    const survival = ["--space", "survival", "--formula", "sold | event(died) ~ [group]"];
    for (
      const [args, ...wanted] of [
        [survival, /died = \{ role = "event", type = "binary" \}/, /space = "survival"/],
        [["--space", "time_series"], /month = \{ role = "time" \}/, /judge = "elpd_lfo"/],
        [["--space", "ordinal", "--formula", "sold ~ [group]"], /levels = \["5","6",/],
        [["--space", "growth", "--formula", "sold ~ month"], /resolution = 1 /],
      ] as const
    ) {
      const { code, err } = await init(...args);
      assert.equal(code, 0, err);
      for (const line of wanted) assert.match(project.read("sold.toml"), line);
      const checked = await project.sluice("check", "sold.toml");
      assert.equal(checked.code, 0, checked.err);
    }
    const strange = await init("--space", "grouth");
    assert.equal(strange.code, 2);
    assert.match(strange.err, /did you mean growth\?/);
  }));

Deno.test("every key of a space has a flag, and a flag of another space is refused", () =>
  withProject([], async (project) => {
    project.write("sold.csv", months.join("\n") + "\n");
    const init = (...args: string[]) =>
      project.sluice("init", "sold.csv", "--response", "sold", "--force", ...args);
    const kernels = ["--space", "gaussian_process", "--formula", "sold ~ month", "--period", "12"];
    const widths = "kernel={ linear = 0.7, periodic = 0.3, width = [0.5, 2] }";
    const given = ["--kernels", "linear,periodic", "--depth", "1", "--prior", widths];
    const { code, err } = await init(...kernels, ...given, "--prior", "width=[1, 3]");
    assert.equal(code, 0, err);
    const shown = await project.sluice("grammar", "sold.toml");
    assert.match(shown.out, /^8 programs over 1 question\nkernel: linear 0\.7, periodic 0\.3\n/);
    const terms = ["--formula", "sold ~ [group] + [month] + [group:month]"];
    const loose = await init(...terms, "--no-margins", "--unit", "group", "--group", "group");
    assert.equal(loose.code, 0, loose.err);
    assert.match(project.read("sold.toml"), /\nmargins = false\n[^]*\nunit = "group"\n/);
    for (
      const [args, wanted] of [
        [["--depth", "1"], /regression: it has no key depth/],
        [["--prior", "month"], /wanted QUESTION=VALUE/],
        [["--group", "gruop"], /did you mean "group"\?/],
      ] as const
    ) {
      const refused = await init(...args);
      assert.equal(refused.code, 2);
      assert.match(refused.err, wanted);
    }
  }));

Deno.test("a space is shown, ejected, and ranked by its own grammar", () =>
  withProject([], async (project) => {
    project.write("sold.csv", months.join("\n") + "\n");
    const formula = ["--formula", "sold ~ [group]", "--families", "poisson"];
    await project.sluice("init", "sold.csv", "--response", "sold", ...formula);
    const shown = await project.sluice("grammar", "sold.toml");
    assert.equal(
      shown.out,
      "2 programs over 1 question\ngroup: out 0.5, in 0.5\nfamily: poisson 1\n",
    );
    const ejected = await project.sluice("grammar", "--eject", "sold.toml");
    assert.match(
      ejected.out,
      /^# Written by sluice grammar --eject sold\.toml, of\n# {3}sold ~ \[group\]/,
    );
    project.write("own.toml", ejected.out);
    const pipeline = project.read("sold.toml");
    const from = pipeline.indexOf('kind = "model_space"');
    const to = pipeline.indexOf("[stages.target]");
    const own = `${pipeline.slice(0, from)}kind = "grammar"\npath = "own.toml"\n\n`;
    project.write("ejected.toml", own + pipeline.slice(to));
    const [space, grammar] = [
      await project.sluice("rank", "sold.toml", "--json", "--quiet"),
      await project.sluice("rank", "ejected.toml", "--json", "--quiet"),
    ];
    assert.equal(space.code, 0, space.err);
    assert.equal(grammar.code, 0, grammar.err);
    const { run: _one, ...answer } = JSON.parse(space.out);
    const { run: _two, ...same } = JSON.parse(grammar.out);
    assert.deepEqual(same, answer);
  }));

Deno.test("a space of a billion programs is refused with their number before anything runs", () =>
  withProject([], async (project) => {
    const names = Array.from({ length: 30 }, (_, k) => `x${k}`);
    const rows = Array.from(
      { length: 60 },
      (_, i) => [i % 7, ...names.map((_, k) => (i * (k + 2)) % 37)].join(","),
    );
    project.write("wide.csv", [["y", ...names].join(","), ...rows].join("\n") + "\n");
    const formula = `y ~ ${names.map((name) => `[${name}]`).join(" + ")}`;
    const args = ["--response", "y", "--formula", formula, "--families", "poisson"];
    const { code, err } = await project.sluice("rank", "wide.csv", ...args);
    assert.equal(code, 2);
    assert.match(err, /it has 1,073,741,824 programs, at most 100,000/);
    assert.match(err, /each \[x\] doubles them/);
  }));

Deno.test("a predictor that separates the response is warned of, where the stage ran", () =>
  withProject([], async (project) => {
    const rows = Array.from({ length: 20 }, (_, i) => `${i},${(i * 7) % 5},${i > 9 ? 1 : 0}`);
    project.write("hit.csv", ["x,z,hit", ...rows].join("\n") + "\n");
    const args = ["--response", "hit", "--formula", "hit ~ [z] + [x]"];
    await project.sluice("rank", "hit.csv", ...args, "--budget", "1", "--quiet");
    const sql = "select message from event where level = 'warning' and stage = 'programs'";
    const out = JSON.stringify(await project.query(sql));
    assert.match(out, /x separates the response: every row with hit = 1 has a larger x/);
    assert.doesNotMatch(out, /z separates/);
  }));
