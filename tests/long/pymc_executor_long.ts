/** A pipeline whose 88 programs real PyMC builds, compared with the native one; about ten minutes. */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { exp } from "../../src/numerics/math/elementary.ts";
import { type CommandLine, home, withProject } from "../cli/command_line.ts";

const files = ["tests/pipeline/read", "grammars", "data"];

interface Scored {
  readonly text: string;
  readonly hash: string;
  readonly status: string;
  readonly elpd: number;
  readonly target: number;
}

async function run(project: CommandLine, executor: string): Promise<Map<string, Scored>> {
  const set = `stages.target.executor="${executor}"`;
  const args = ["run", "tests/pipeline/read/growth_pymc.toml", "--quiet", "--set", set];
  const { code, err } = await project.sluice(...args);
  assert.equal(code, 0, err);
  const sql = `select e.program_sha256 as text, e.canonical_hash as hash, x.status as status,
      x.elpd_loo as elpd, e.log_target as target
    from enumeration e join execution x on x.program_sha256 = e.program_sha256`;
  return new Map((await project.query<Scored>(sql)).map((one) => [one.text, one]));
}

Deno.test("the executor pymc has the native one's target, bit for bit where the hash is one", async () => {
  await withProject(files, async (project) => {
    cpSync(`${home}.sluice/python`, project.path(".sluice/python"), {
      recursive: true,
      preserveTimestamps: true,
    });
    const pymc = await run(project, "pymc");
    const native = await run(project, "native");
    assert.deepEqual([pymc.size, native.size], [88, 88]);
    let [tv, same] = [0, 0];
    for (const [text, one] of pymc) {
      const other = native.get(text)!;
      assert.deepEqual([one.status, other.status], ["ok", "ok"]);
      tv += Math.abs(exp(one.target) - exp(other.target)) / 2;
      if (one.hash !== other.hash) continue;
      same++;
      assert.equal(one.elpd, other.elpd, text);
    }
    assert.ok(same >= 80, `${same} of 88 hashes are equal`);
    assert.ok(tv <= 0.05, `TV ${tv}`);
  });
});
