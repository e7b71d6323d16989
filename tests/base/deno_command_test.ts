/** Tests of which Deno is started: the one that runs, by its path, whatever else is called so. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MissingPartError } from "../../src/base/diagnostic.ts";
import { findDeno, moduleBeside } from "../../src/base/deno_command.ts";
import { temporaryFolder } from "../temporary_folder.ts";

Deno.test("a module beside another ends as that does", () => {
  assert.equal(moduleBeside("./b_main.ts", "file:///x%23/a.ts"), "/x#/b_main.ts");
  assert.equal(moduleBeside("../b_main.ts", "file:///x/y/a.js"), "/x/b_main.js");
});

const own = Deno.realPathSync(Deno.execPath());
const folder = temporaryFolder();

function folderWith(name: string, make: (path: string) => void): string {
  Deno.mkdirSync(join(folder, name));
  make(join(folder, name, "deno"));
  return join(folder, name);
}

const linked = folderWith("linked", (path) => Deno.symlinkSync(own, path));
const other = folderWith("other", (path) => Deno.writeTextFileSync(path, "#!/bin/sh\n"));
const only = (...granted: string[]) => (file: string) => granted.includes(file);

Deno.test("the Deno that runs is started by its path where that is granted", () => {
  assert.equal(findDeno(own, other, only(own)), own);
});

Deno.test("a name that was granted will do where it leads to the same file", () => {
  assert.equal(
    findDeno(own, `relative:${linked}:${other}`, only(join(linked, "deno"))),
    join(linked, "deno"),
  );
});

Deno.test("another deno that comes first on the PATH is refused, and named", () => {
  assert.throws(() => findDeno(own, `${other}:${linked}`, only(join(other, "deno"))), (error) => {
    assert.ok(error instanceof MissingPartError);
    assert.match(error.message, /"deno" on the PATH is another one, .*other\/deno$/);
    assert.ok(error.remedy.includes(`--allow-run=${own}`));
    return true;
  });
});

Deno.test("without any permission the message says so", () => {
  for (const path of [undefined, "", linked]) {
    assert.throws(() => findDeno(own, path, () => false), /the permission is missing/);
  }
});

Deno.test("modules that are started by their paths are found in the package, too", () => {
  const root = new URL("../../", import.meta.url);
  const written = ["src", "stages"].flatMap((folder) =>
    (readdirSync(new URL(folder, root), { recursive: true }) as string[])
      .filter((name) => name.endsWith(".ts")).map((name) => `${folder}/${name}`)
  );
  assert(written.length > 500);
  const tied = written.filter((path) =>
    /new URL\(\s*"[^"]*\.ts",\s*import\.meta\.url/.test(readFileSync(new URL(path, root), "utf8"))
  );
  assert.deepEqual(tied, []);
});
