/** Folders whose names mean something in a URL hold projects as any others do. */
import assert from "node:assert/strict";
import { withDoubling } from "./doubling.ts";

for (const name of ["c#", "100%", "a%20b"]) {
  Deno.test(`a project in a folder named ${name} runs, and is cached`, () =>
    withDoubling(async (project) => {
      const first = await project.sluice("run", "doubling.toml");
      assert.equal(first.code, 0, first.err);
      const second = await project.sluice("run", "doubling.toml");
      assert.equal(second.code, 0, second.err);
      assert.match(second.err, /Nothing changed/);
    }, name));
}
