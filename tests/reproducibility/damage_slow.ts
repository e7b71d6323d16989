/** Damage on disk is found, said and mended: objects of the cache, the database, a segment's tail. */
import assert from "node:assert/strict";
import type { CommandLine } from "../cli/command_line.ts";
import { readCheckedLines } from "../../src/base/checked_lines.ts";
import { withProject } from "../cli/command_line.ts";
import { assertSameRows, readRows } from "./same_rows.ts";
import { shortFiles, shortPipeline } from "./short_pipeline.ts";

/** Changes one bit in the middle of a file. */
function flipBit(path: string): void {
  const bytes = Deno.readFileSync(path);
  const middle = bytes.length >> 1;
  Deno.writeFileSync(path, bytes.with(middle, bytes[middle] ^ 1));
}

/** Path of the object of an output, or of the rows, of the stage that has such an output. */
function objectOf(project: CommandLine, type: string, what: "output" | "rows"): string {
  const records = project.list(".sluice/fingerprints").map((name) => {
    return JSON.parse(project.read(`.sluice/fingerprints/${name}`));
  });
  const record = records.find(({ meta }) => meta.outputs.some((o: Output) => o.type === type));
  const digests: Record<string, string> = what === "rows" ? record.rows : record.outputs;
  const [digest] = Object.values(digests);
  return project.path(".sluice/objects", digest.slice(0, 2), digest.slice(2));
}

interface Output {
  readonly type: string;
}

Deno.test("damage is found, said and mended", async (test) => {
  await withProject(shortFiles, async (project) => {
    project.write("p.toml", shortPipeline());
    const first = await project.sluice("run", "p.toml");
    assert.equal(first.code, 0, first.err);
    const rows = await readRows(project.root);
    assert.ok(rows.trajectory.length >= 12 && rows.execution.length > 1);

    const damages = [
      ["output", 'its output "target" is corrupt'],
      ["rows", "its rows are corrupt"],
    ] as const;
    for (const [what, said] of damages) {
      await test.step(`a flipped bit in the ${what} of a stage: it is computed again`, async () => {
        flipBit(objectOf(project, "target", what));
        const { code, err } = await project.sluice("run", "p.toml");
        assert.equal(code, 0, err);
        assert.ok(
          err.includes(`! target: stage "target" is computed again: ${said}`),
          err,
        );
        assert.match(err, /, 4 of 5 stages from cache\n$/);
        assertSameRows(await readRows(project.root), rows, what);
        const again = await project.sluice("run", "p.toml");
        assert.match(again.err, /, 5 of 5 stages from cache\n$/);
      });
    }

    const runId = project.list("runs")[0];
    const database = project.path("runs", runId, "run.duckdb");
    const count = ["query", "--run", runId, "--format", "csv", "select count(*) from trajectory"];
    const note = `^! run ${runId}: the database was damaged \\(.*\\); rebuilt from its segments`;

    await test.step("a truncated database is rebuilt from its segments", async () => {
      Deno.truncateSync(database, Deno.statSync(database).size >> 1);
      const { code, out, err } = await project.sluice(...count);
      assert.deepEqual([code, out.split("\r\n")[1]], [0, `${rows.trajectory.length}`]);
      assert.match(err, new RegExp(`${note}, \\d+ rows\n$`));
      assertSameRows(await readRows(project.root, runId), rows, "rebuilt");
      assert.equal((await project.sluice(...count)).err, "");
    });

    await test.step("a torn line of a segment is left out with its rows, and counted", async () => {
      const segments = project.list(`runs/${runId}/rows`).filter((name) => /^train-/.test(name));
      const segment = project.path("runs", runId, "rows", segments.at(-1)!);
      const torn = rowsOfLastLine(segment);
      Deno.truncateSync(segment, Deno.statSync(segment).size - 7);
      Deno.truncateSync(database, 0);
      const { code, err } = await project.sluice(...count);
      assert.equal(code, 0, err);
      assert.match(err, new RegExp(`${note}, \\d+ rows, 1 damaged line left out\n$`));
      const total = (all: typeof rows) => Object.values(all).flat().length;
      assert.equal(total(await readRows(project.root, runId)), total(rows) - torn);
    });
  });
});

/** Rows of the last line of a segment. */
function rowsOfLastLine(segment: string): number {
  const { values } = readCheckedLines(Deno.readTextFileSync(segment));
  return (values.at(-1) as { rows: readonly unknown[] }).rows.length;
}
