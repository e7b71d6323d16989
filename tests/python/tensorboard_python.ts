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
  const point = (tag: string, step: number, value: number) => {
    return { run: "r", instance: "1", tag, step, value, wall: 1_700_000_000 + step };
  };
  const all = tags.flatMap((tag) =>
    Array.from({ length: 3000 }, (_, i) => point(tag, i + 1, i === 7 ? NaN : i / 4))
  );
  const name = (run: string) => run;
  const early = all.filter(({ step }) => step <= 1000);
  assert.equal(exportTensorboard(folder, early, name), 3000);
  assert.equal(exportTensorboard(folder, all, name), 6000);
  assert.equal(exportTensorboard(folder, all, name), 0);
  const found = scalarsIn(join(folder, "r", "1"));
  assert.deepEqual(Object.keys(found).toSorted(), tags.toSorted());
  for (const tag of tags) {
    const wanted = all.filter((one) => one.tag === tag)
      .map(({ step, value }) => [step, Number.isNaN(value) ? null : value]);
    assert.deepEqual(found[tag], wanted);
  }
});
