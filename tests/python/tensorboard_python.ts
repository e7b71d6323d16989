/** Exports as TensorBoard reads them. Needs SLUICE_PYTHON, an interpreter with tensorboard 2. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { exportTensorboard } from "../../src/experiments/trackers/export.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const script = fileURLToPath(new URL("./events.py", import.meta.url));

function scalarsIn(folder: string): Record<string, [number, number | null][]> {
  const python = Deno.env.get("SLUICE_PYTHON") ?? "python3";
  const command = new Deno.Command(python, { args: [script, folder] });
  const { success, stdout, stderr } = command.outputSync();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("every point of several exports is read back once, with its step", () => {
  const folder = temporaryFolder();
  const tags = ["train/tb_loss", "train/log_Z", "eval/kl_reverse"];
  const points = Array.from({ length: 3000 }, (_, i) => [i + 1, i === 7 ? NaN : i / 4]);
  const upTo = (last: number) => {
    const steps = points.map(([step]) => step).slice(0, last);
    const values = points.map(([_, value]) => value).slice(0, last);
    const walls = steps.map((step) => 1_700_000_000 + step);
    return tags.map((tag) => ({ run: "r", instance: "1", tag, steps, values, walls }));
  };
  const name = (run: string) => run;
  assert.equal(exportTensorboard(folder, upTo(1000), name), 3000);
  assert.equal(exportTensorboard(folder, upTo(3000), name), 6000);
  assert.equal(exportTensorboard(folder, upTo(3000), name), 0);
  const found = scalarsIn(join(folder, "r", "1"));
  assert.deepEqual(Object.keys(found).toSorted(), tags.toSorted());
  for (const tag of tags) {
    const wanted = points.map(([step, value]) => [step, Number.isNaN(value) ? null : value]);
    assert.deepEqual(found[tag], wanted);
  }
});
