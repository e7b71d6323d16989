/** The state of a checkout against what git itself says of it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { treeState } from "../../../src/pipeline/run/dirty_tree.ts";

function git(cwd: string, ...args: string[]): void {
  const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_AUTHOR_NAME: "a", GIT_COMMITTER_NAME: "a" };
  const mail = { GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_EMAIL: "a@b" };
  const { success, stderr } = new Deno.Command("git", { args, cwd, env: { ...env, ...mail } })
    .outputSync();
  assert.ok(success, new TextDecoder().decode(stderr));
}

Deno.test("a tree is dirty where git diff says so, by content and not by time", () => {
  const root = Deno.makeTempDirSync();
  const write = (name: string, text: string) => Deno.writeTextFileSync(join(root, name), text);
  assert.equal(treeState(root), undefined);
  git(root, "init", "-q");
  ["a", "bb", "ccccccc", "eight..8", "a name of some length.ts"].forEach((name) =>
    write(name, name)
  );
  git(root, "add", ".");
  git(root, "commit", "-q", "-m", "one");
  assert.deepEqual(treeState(root), { dirty: false, files: [] });
  Deno.utimeSync(join(root, "bb"), new Date(), new Date(1e12));
  assert.deepEqual(treeState(root)?.dirty, false, "touched, not changed");
  write("a", "b");
  const one = treeState(root)!;
  assert.deepEqual([one.dirty, one.files], [true, ["a"]]);
  write("a", "c");
  assert.notEqual(treeState(root)!.diff, one.diff);
  write("a", "b");
  assert.equal(treeState(root)!.diff, one.diff, "the same difference has the same digest");
  Deno.removeSync(join(root, "ccccccc"));
  assert.deepEqual(treeState(root)!.files, ["a", "ccccccc"]);
  Deno.removeSync(root, { recursive: true });
});
