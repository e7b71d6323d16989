/** Every attack of the catalogue against every level, and the table of them in bench/results/sandbox.md. */
import assert from "node:assert/strict";
import { readCatalogue } from "../sandbox/catalogue.ts";
import { sandboxTest } from "../sandbox/needs.ts";
import { requireHost } from "../../src/sandbox/run_python.ts";
import {
  isPageCurrent,
  olderSurprises,
  runMatrix,
  runOlderInterfaces,
  surprises,
} from "../sandbox/matrix.ts";

sandboxTest(
  "attacks succeed without layers, and at no level that is said to stop them",
  async () => {
    const cells = await runMatrix(readCatalogue(), 3);
    assert.deepEqual(surprises(cells), []);
  },
);

sandboxTest(
  "no interface of Landlock from 1 on lets more through at L2: `--all-interfaces` tries each attack under each",
  async () => {
    const { landlockAbi } = await requireHost();
    const all = Deno.args.includes("--all-interfaces");
    const cells = await runOlderInterfaces(readCatalogue(), landlockAbi, all, 3);
    assert.deepEqual(olderSurprises(cells), []);
  },
);

Deno.test("bench/results/sandbox.md has the matrix as it is: `deno task test:sandbox --write`", () => {
  assert.ok(isPageCurrent(Deno.args.includes("--write")));
});
