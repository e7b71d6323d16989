/** Results that a command is to write where it may not or cannot: status 2, and what to do instead. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { CommandLine } from "./command_line.ts";
import { withProject } from "./command_line.ts";

const program = `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 0, 10)
    length = pm.Normal("length", mu, 1, observed=data["length"])
`;

/** Commands and the option by which each is told where to write. */
const commands: readonly (readonly [option: string, args: readonly string[]])[] = [
  ["--save", ["score", "p.py", "--data", "data/dugongs.csv"]],
  ["--out", ["query", "select 1"]],
  ["--out", ["report"]],
  ["--out", ["programs"]],
];

async function inProject(test: (project: CommandLine) => Promise<void>): Promise<void> {
  await withProject(["data/dugongs.csv"], async (project) => {
    project.write("p.py", program);
    await test(project);
  });
}

for (const [option, args] of commands) {
  Deno.test(`sluice ${args[0]} ${option} outside of the project is refused before any work`, async () => {
    await inProject(async (project) => {
      const elsewhere = join(project.root, "..", "sluice-elsewhere");
      const { code, out, err } = await project.sluice(...args, option, elsewhere);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, new RegExp(`^Cannot write \\S*sluice-elsewhere, as ${option} says: `));
      assert.match(
        err,
        /\n {2}mend: choose a path below \S+, the folder that Sluice was started in/,
      );
      assert.doesNotMatch(err, /--allow-write|Requires/);
    });
  });
}

Deno.test("a file where a folder is needed, or a folder where a file is, is told as that", async () => {
  await inProject(async (project) => {
    const saved = await project.sluice(...commands[0][1], "--save", "deno.json/x.zarr");
    assert.equal(saved.code, 2);
    assert.match(
      saved.err,
      /^Cannot write deno\.json\/x\.zarr.*\n {2}mend: a file stands where a /,
    );
    const asked = await project.sluice("query", "select 1", "--out", "data");
    assert.equal(asked.code, 2);
    assert.match(asked.err, /^Cannot write data: .*\n {2}mend: a folder has that name/);
  });
});
