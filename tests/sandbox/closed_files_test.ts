/** Tests that files closed to others are named before a program of root's fails on them. */
import assert from "node:assert/strict";
import { MissingPartError } from "../../src/base/diagnostic.ts";
import { kernelLauncher } from "../../src/sandbox/kernel_launcher.ts";
import { readOwnFile } from "../../src/executor/own_file.ts";
import { closedFile } from "../../src/sandbox/closed_files.ts";
import { requireHost } from "../../src/sandbox/run_python.ts";
import { engineDigest } from "../../src/executor/engine_file.ts";
import { sandboxTest } from "./needs.ts";

const folder = Deno.makeTempDirSync();
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));

function made(name: string, mode: number): string {
  Deno.writeTextFileSync(`${folder}/${name}`, "");
  Deno.chmodSync(`${folder}/${name}`, mode);
  return `${folder}/${name}`;
}

Deno.test("a file is closed to another user without its bits for others, a folder without both", () => {
  const root = { asRoot: true };
  const closed = (path: string, kind: "file" | "directory") =>
    closedFile([{ path, kind }], "L3", root) !== undefined;
  assert.equal(closed(made("own", 0o600), "file"), true);
  assert.equal(closed(made("all", 0o644), "file"), false);
  Deno.mkdirSync(`${folder}/kept`, { mode: 0o700 });
  assert.equal(closed(`${folder}/kept`, "directory"), true);
  Deno.chmodSync(`${folder}/kept`, 0o755);
  assert.equal(closed(`${folder}/kept`, "directory"), false);
  assert.equal(closed(`${folder}/absent`, "file"), false, "somebody else will tell");
  const own = [{ path: `${folder}/own`, kind: "file" }] as const;
  assert.equal(closedFile(own, "L2", root), undefined, "at L2 root stays its own user");
  assert.equal(closedFile(own, "L3", { asRoot: false }), undefined);
});

sandboxTest(
  "a worker that only root may read is no L3 for root, and the reason says what to do",
  async () => {
    const host = { ...await requireHost(), asRoot: true, bubblewrap: "/bin/false" };
    const worker = made("worker.js", 0o600);
    assert.deepEqual(await kernelLauncher("L3", host, worker), {
      problem:
        `${worker} is closed to other users (mode 600), and at level L3 a program that root ` +
        `starts is another user; open it: chmod a+rX ${worker}`,
    });
  },
);

sandboxTest("a worker without a word is no level, and that is what is said", async () => {
  const host = await requireHost();
  assert.deepEqual(await kernelLauncher("L2", host, made("empty.js", 0o644)), {
    problem: "the worker ended before it said hello",
  });
});

Deno.test("a file of Sluice's own that is gone is a missing part", () => {
  for (const read of [readOwnFile, engineDigest]) {
    assert.throws(() => read(`${folder}/gone.js`), (error) => {
      assert.ok(error instanceof MissingPartError);
      assert.match(
        error.message,
        /^Sluice is incomplete: cannot read \S+gone\.js: there is no such/,
      );
      return true;
    });
  }
});
