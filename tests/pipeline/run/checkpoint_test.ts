/** Checkpoints: the last two are kept, and one that was torn is passed over. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { Checkpoints } from "../../../src/pipeline/store/checkpoints.ts";
import { temporaryFolder } from "../../temporary_folder.ts";

Deno.test("the latest whole checkpoint counts, and two are kept", () => {
  const folder = temporaryFolder();
  const checkpoints = new Checkpoints(folder);
  const fingerprint = "f".repeat(64);
  for (const step of [5, 10, 15]) {
    const payload = new Uint8Array([step, step]);
    const parts = [{ name: "state:x", bytes: 2 }];
    checkpoints.publish({ fingerprint, step, runId: "R", segment: `s${step}`, parts, payload });
  }
  const names = [...Deno.readDirSync(join(folder, fingerprint))].map(({ name }) => name).sort();
  assert.equal(names.length, 2);
  assert.deepEqual(checkpoints.latest(fingerprint)?.payload, new Uint8Array([15, 15]));
  const last = join(folder, fingerprint, names[1]);
  const bytes = Deno.readFileSync(last);
  Deno.writeFileSync(last, bytes.with(bytes.length - 1, 16));
  assert.equal(checkpoints.latest(fingerprint)?.step, 10);
  Deno.writeFileSync(last, bytes.subarray(0, bytes.length - 1));
  assert.equal(checkpoints.latest(fingerprint)?.segment, "s10");
  checkpoints.remove(fingerprint);
  assert.equal(checkpoints.latest(fingerprint), undefined);
  Deno.removeSync(folder, { recursive: true });
});
