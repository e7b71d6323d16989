/** Exports as MLflow reads them. Needs SLUICE_PYTHON, an interpreter with mlflow-skinny 3. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { exportMlflow } from "../../src/experiments/trackers/mlflow.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const script = fileURLToPath(new URL("./mlruns.py", import.meta.url));

interface Read {
  readonly params: Readonly<Record<string, string>>;
  readonly metrics: Readonly<Record<string, readonly [number, number | null][]>>;
}

function runsIn(folder: string): Record<string, Read> {
  const python = Deno.env.get("SLUICE_PYTHON") ?? "python3";
  const env = { MLFLOW_ALLOW_FILE_STORE: "true" };
  const command = new Deno.Command(python, { args: [script, folder], env });
  const { success, stdout, stderr } = command.outputSync();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("runs, points and parameters are read back once, however often they were written", () => {
  const folder = temporaryFolder();
  const points = Array.from({ length: 50 }, (_, i) => [i + 1, i === 7 ? NaN : i / 4]);
  const upTo = (last: number) => {
    const steps = points.map(([step]) => step).slice(0, last);
    const values = points.map(([_, value]) => value).slice(0, last);
    const walls = steps.map((step) => 1_700_000_000 + step);
    return ["0", "1"].flatMap((instance) =>
      ["train/tb_loss", "eval/kl_reverse"].map((tag) => {
        return { run: "R", instance, tag, steps, values, walls };
      })
    );
  };
  const params = new Map([["R", { "stages.train.steps": "50", 'a["b"]': '"x"' }]]);
  const name = () => "small_grid-1/3";
  exportMlflow(folder, upTo(19), name, params);
  assert.equal(exportMlflow(folder, upTo(50), name, params), 200);
  const found = runsIn(folder);
  assert.deepEqual(Object.keys(found).toSorted(), ["small_grid-1/3/0", "small_grid-1/3/1"]);
  const { metrics, params: read } = found["small_grid-1/3/1"];
  assert.deepEqual(read, { "stages.train.steps": "50", "a__b__": '"x"' });
  const wanted = points.map(([step, value]) => [step, Number.isNaN(value) ? null : value]);
  assert.deepEqual(metrics, { "eval/kl_reverse": wanted, "train/tb_loss": wanted });
});
