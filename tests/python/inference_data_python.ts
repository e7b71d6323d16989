/** InferenceData as ArviZ reads it. Needs SLUICE_PYTHON, an interpreter with arviz 0.23 and zarr 2. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeDataset } from "../../src/base/dataset.ts";
import { bfmi } from "./bfmi.ts";
import { sampleProgram } from "../../src/engine/score/sample_program.ts";
import { zarrFiles } from "../../src/engine/score/inference_data/zarr.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const column = (name: string, role: "predictor" | "response", values: number[]) => ({
  ...{ name, role, type: "real" as const, values: Float64Array.from(values) },
});

const schools = makeDataset("schools", [
  column("y", "response", [28, 8, -3, 7, -1, 1, 18, 12]),
  column("sigma", "predictor", [15, 10, 16, 11, 9, 11, 10, 18]),
]);

const program = `import pymc as pm

with pm.Model(coords={"school": ["Ä", "B", "C", "D", "E", "F", "G", "H"]}) as model:
    mu = pm.Normal("mu", 0, 5)
    tau = pm.HalfCauchy("tau", 5)
    raw = pm.Laplace("raw", 0, 1, dims="school")
    theta = pm.Deterministic("theta", mu + tau * raw, dims="school")
    pm.Normal("obs", mu=theta, sigma=data["sigma"], observed=data["y"])
`;

interface Found {
  readonly arviz: string;
  readonly groups: string[];
  readonly dims: Record<string, Record<string, string[]>>;
  readonly shapes: Record<string, Record<string, number[]>>;
  readonly schools: string[];
  readonly diverging: string;
  readonly mean: Record<string, number[]>;
  readonly rhat: Record<string, number[]>;
  readonly ess_bulk: Record<string, number[]>;
  readonly ess_tail: Record<string, number[]>;
  readonly observed: number[];
  readonly sigma: number[];
  readonly elpd_loo: number;
  readonly bfmi: number[];
}

/** Writes a store, has Python read it, and removes it. */
function readByArviz(files: ReadonlyMap<string, Uint8Array>): Found {
  const python = Deno.env.get("SLUICE_PYTHON");
  assert.ok(python, "set SLUICE_PYTHON to a Python with arviz 0.23.4 and zarr 2.18.7");
  const folder = temporaryFolder();
  try {
    for (const [path, bytes] of files) {
      Deno.mkdirSync(dirname(join(folder, path)), { recursive: true });
      Deno.writeFileSync(join(folder, path), bytes);
    }
    const script = fileURLToPath(new URL("read_store.py", import.meta.url));
    const { code, stdout, stderr } = new Deno.Command(python, { args: [script, folder] })
      .outputSync();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function assertClose(actual: readonly number[], wanted: readonly number[], what: string): void {
  assert.equal(actual.length, wanted.length, what);
  for (const [i, value] of actual.entries()) {
    const error = Math.abs(value - wanted[i]) / Math.max(1e-3, Math.abs(wanted[i]));
    assert.ok(error < 1e-10, `${what}[${i}]: ${value}, not ${wanted[i]}`);
  }
}

const { execution, data } = sampleProgram(program, schools, { priorDraws: 50 });
const score = execution.score!;
const variablesOf = (group: string) => data!.groups.find(({ name }) => name === group)!.variables;
const [chains, draws] = variablesOf("posterior")[0].shape;

Deno.test("ArviZ reads every group, with its names, dims, coords and types", () => {
  const found = readByArviz(zarrFiles(data!));
  assert.match(found.arviz, /^0\.23\./);
  assert.deepEqual(found.groups, [
    ...["constant_data", "log_likelihood", "observed_data", "posterior", "posterior_predictive"],
    ...["prior", "prior_predictive", "sample_stats"],
  ]);
  assert.deepEqual(found.dims.posterior.theta, ["chain", "draw", "school"]);
  assert.deepEqual(found.dims.log_likelihood.obs, ["chain", "draw", "obs_dim_0"]);
  assert.equal(chains, score.chains);
  assert.deepEqual(found.shapes.posterior.theta, [chains, draws, 8]);
  assert.deepEqual(found.shapes.posterior.mu, [chains, draws]);
  assert.deepEqual(found.shapes.prior_predictive.obs, [1, 50, 8]);
  assert.deepEqual(found.schools, ["Ä", "B", "C", "D", "E", "F", "G", "H"]);
  assert.equal(found.diverging, "bool");
  assert.deepEqual(found.observed, [28, 8, -3, 7, -1, 1, 18, 12]);
  assert.deepEqual(found.sigma, [15, 10, 16, 11, 9, 11, 10, 18]);
});

Deno.test("ArviZ's diagnostics of the draws are the engine's", () => {
  const found = readByArviz(zarrFiles(data!));
  for (const [name, summary] of Object.entries(score.params)) {
    assertClose(found.mean[name], summary.mean, `mean of ${name}`);
    assertClose(found.rhat[name], summary.rhat, `R-hat of ${name}`);
    assertClose(found.ess_bulk[name], summary.essBulk, `bulk ESS of ${name}`);
    assertClose(found.ess_tail[name], summary.essTail, `tail ESS of ${name}`);
  }
  const energy = variablesOf("sample_stats").find(({ name }) => name === "energy")!;
  assertClose(found.bfmi, [...bfmi(energy.values as Float64Array, chains)], "BFMI");
});

Deno.test("where importance draws gave the score, ArviZ's LOO of the saved chains is near it", () => {
  assert.equal(score.looMethod, "integrated_importance");
  const found = readByArviz(zarrFiles(data!));
  // PSIS of 1,000 draws spreads by 0.08 here over seeds, and the score by 0.05.
  assert.ok(Math.abs(found.elpd_loo - score.elpdLoo) < 0.4, `${found.elpd_loo} ${score.elpdLoo}`);
});

Deno.test("where chains gave the score, ArviZ's LOO of them is elpd_raw", () => {
  const tails = 'pm.StudentT("raw", nu=7, mu=0, sigma=1, shape=13)'; // no closed form
  const many = program.replace('pm.Laplace("raw", 0, 1, dims="school")', tails)
    .replace("tau * raw", 'tau * pm.math.sum(raw) / data["sigma"]');
  const { execution: { score }, data } = sampleProgram(many, schools, { priorDraws: 50 });
  const found = readByArviz(zarrFiles(data!));
  // ArviZ 0.23 rounds the length of the tail up, the engine down as arviz-stats does.
  assert.ok(Math.abs(found.elpd_loo - score!.elpdRaw) < 0.02, `${found.elpd_loo}`);
  assert.deepEqual(found.shapes.posterior.raw, [score!.chains, score!.draws, 13]);
});
