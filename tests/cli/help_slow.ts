/** Tests of help, versions and mistyped words: the first output that a user meets. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { home, withProject } from "./command_line.ts";

/** Each command is the file of its name. */
const commands = [...Deno.readDirSync(join(home, "src/cli/commands"))]
  .map(({ name }) => name.replace(/\.ts$/, "")).sort();

Deno.test("every command has help with an example, which fits 80 columns", async () => {
  await withProject([], async (project) => {
    const overview = await project.sluice("--help");
    for (const command of ["", ...commands]) {
      const { code, out, err } = await project.sluice(...(command ? [command] : []), "--help");
      assert.deepEqual([code, err], [0, ""], command);
      assert.match(out, new RegExp(`^Usage: sluice ${command}`), command);
      assert.match(out, /\nExample:\n {2}sluice /, command);
      const wide = out.split("\n").filter((line) => [...line].length > 80);
      assert.deepEqual(wide, [], command);
      assert.match(overview.out, new RegExp(`^  ${command}`, "m"));
    }
    assert.deepEqual(project.list(), ["deno.json"]);
  });
});

Deno.test("a terminal shows what a pipe gets: the overview, help, and complaints", async () => {
  await withProject([], async (project) => {
    for (const args of [["--help"], ["query", "--help"], ["rnu"]]) {
      assert.deepEqual(await project.sluiceOnScreen(...args), await project.sluice(...args));
    }
  });
});

Deno.test("the overview names every command", async () => {
  await withProject([], async (project) => {
    const { out } = await project.sluice("--help");
    const named = [...out.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
    assert.deepEqual(named.filter((name) => name !== "help").sort(), commands);
  });
});

Deno.test("without a command the help comes with exit status 2", async () => {
  await withProject([], async (project) => {
    const { code, out, err } = await project.sluice();
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^Usage: sluice \[options\] \[command\]/);
  });
});

Deno.test("the version is that of deno.json", async () => {
  const { version } = JSON.parse(Deno.readTextFileSync(join(home, "deno.json")));
  await withProject([], async (project) => {
    assert.deepEqual(await project.sluice("--version"), { code: 0, out: `${version}\n`, err: "" });
  });
});

const mistyped: [string, string[], string][] = [
  ["command", ["rnu"], "error: unknown command 'rnu'\n(Did you mean run?)\n"],
  ["command with --help", ["rnu", "--help"], "error: unknown command 'rnu'\n(Did you mean run?)\n"],
  ["help for a command", ["help", "rnu"], "error: unknown command 'rnu'\n(Did you mean run?)\n"],
  [
    "flag",
    ["run", "p.toml", "--quite"],
    "error: unknown option '--quite'\n(Did you mean --quiet?)\n",
  ],
  [
    "format",
    ["query", "--format", "xml", "select 1"],
    "error: option '--format <format>' argument 'xml' is invalid. " +
    "Allowed choices are table, json, csv, parquet.\n",
  ],
  ["pipeline left out", ["run"], "error: missing required argument 'pipeline'\n"],
  ["data left out", ["score", "p.py"], "error: required option '--data <file>' not specified\n"],
];

for (const [what, args, message] of mistyped) {
  Deno.test(`a wrong word is refused with what was meant: ${what}`, async () => {
    await withProject([], async (project) => {
      const err = `${message}(add --help for what is possible)\n`;
      assert.deepEqual(await project.sluice(...args), { code: 2, out: "", err });
    });
  });
}

const numbers: [string[], string][] = [
  [
    ["run", "p.toml", "--workers", "many"],
    'Cannot use --workers "many": wanted a whole number of at least 1',
  ],
  [["programs", "--top", "0"], 'Cannot use --top "0": wanted a whole number of at least 1'],
  [
    ["score", "p.py", "--chains", "1"],
    'Cannot use --chains "1": wanted a whole number of at least 2',
  ],
  [
    ["score", "p.py", "--target-mcse", "-1"],
    'Cannot use --target-mcse "-1": wanted a number above 0',
  ],
  [
    ["score", "p.py", "--resolution", "cm"],
    'Cannot use --resolution "cm": wanted a number above 0',
  ],
];

for (const [args, message] of numbers) {
  Deno.test(`a flag that wants a number does not guess: ${args.slice(-2).join(" ")}`, async () => {
    await withProject([], async (project) => {
      assert.deepEqual(await project.sluice(...args), { code: 2, out: "", err: `${message}\n` });
    });
  });
}

Deno.test("sluice schema prints the schema that is committed", async () => {
  await withProject([], async (project) => {
    const { code, out } = await project.sluice("schema");
    const committed = Deno.readTextFileSync(join(home, "schemas/pipeline.schema.json"));
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(out), JSON.parse(committed));
  });
});

Deno.test("doctor finds what nothing works without, and says so as JSON", async () => {
  await withProject([], async (project) => {
    const { code, out } = await project.sluice("doctor", "--json");
    const findings = JSON.parse(out) as { part: string; ok: boolean; needed: boolean }[];
    const needed = findings.filter((finding) => finding.needed).map(({ part, ok }) => [part, ok]);
    const expected = ["deno", "processor", "engine worker", "store"].map((part) => [part, true]);
    assert.deepEqual([code, needed], [0, expected]);
  });
});

Deno.test("a mistyped kind gets the nearest, with exit status 2", async () => {
  await withProject([], async (project) => {
    const { code, err } = await project.sluice("kinds", "lern");
    assert.equal(code, 2);
    assert.match(err, /unknown kind "lern"\n {2}mend: did you mean "learn"\?/);
    assert.match((await project.sluice("kinds", "learn")).out, /^learn: One gradient step/);
  });
});
