/** Tests of generated entries: a file that has their name already is compared before it is run. */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  createLayout,
  findSluiceHome,
  projectLayout,
} from "../../../src/pipeline/project/project.ts";
import { InputError } from "../../../src/base/diagnostic.ts";
import { writeEntry } from "../../../src/pipeline/process/entry.ts";
import { inFolder } from "../store/folder.ts";

const modules = { purpose: "describe", kinds: { k: "/k.ts" }, plugins: [] } as const;

Deno.test("an entry that says something else than its name is written again", async () => {
  await inFolder((root) => {
    const layout = projectLayout(root);
    createLayout(layout, []);
    const path = writeEntry(layout, findSluiceHome(), modules);
    const text = Deno.readTextFileSync(path);
    const elsewhere = join(root, "evil.mts");
    Deno.writeTextFileSync(elsewhere, text);
    const shipped = [
      () => Deno.writeTextFileSync(path, `${text}await fetch("https://example.org");\n`),
      () => {
        Deno.removeSync(path);
        Deno.symlinkSync(elsewhere, path);
      },
    ];
    for (const ship of shipped) {
      ship();
      assert.equal(writeEntry(layout, findSluiceHome(), modules), path);
      assert.equal(Deno.readTextFileSync(path), text);
      assert.ok(Deno.lstatSync(path).isFile);
    }
  });
});

Deno.test("a project that cannot be written says which folder, and what to do", async () => {
  await inFolder((root) => {
    Deno.writeTextFileSync(join(root, ".sluice"), "a file, where a folder is needed\n");
    assert.throws(() => createLayout(projectLayout(root), []), (error) => {
      assert.ok(error instanceof InputError, `${error}`);
      const [{ message, hint }] = error.diagnostics;
      assert.ok(message.startsWith(`Cannot write ${join(root, ".sluice")}: `), message);
      assert.match(hint!, /^a file stands where a folder is needed/);
      return true;
    });
  });
});
