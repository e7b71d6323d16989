/** Small runs of the estimators, each with all that it says, to tell what a threshold decides. */
import { RandomStream } from "../../../src/base/random.ts";
import { makeDataset } from "../../../src/base/dataset.ts";
import { exp, log } from "../../../src/numerics/math/elementary.ts";
import type { LogDensity, PointwiseDensity } from "../../../src/numerics/math/log_density.ts";
import { fillNormal } from "../../../src/numerics/math/random_normal.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { closedFormPosterior } from "../../../src/engine/inference/gaussian/marginal.ts";
import { closedFormLoo } from "../../../src/engine/loo/closed_form.ts";
import { logGain } from "../../../src/engine/loo/control_variates.ts";
import { candidatesAmong, isDistant, mayBeDistant } from "../../../src/engine/loo/distant_rows.ts";
import type { ElpdResult } from "../../../src/engine/loo/elpd.ts";
import { type Estimate, refitLimit } from "../../../src/engine/loo/estimate.ts";
import { trusted } from "../../../src/engine/loo/importance_estimate.ts";
import { importanceLoo } from "../../../src/engine/loo/importance_loo.ts";
import { LineIntegrals } from "../../../src/engine/loo/line_integrals.ts";
import { ModeSearch } from "../../../src/engine/loo/line_modes.ts";
import { sampleMixed } from "../../../src/engine/loo/mixed_chains.ts";
import { distantObservations, fitsMixture, isUnreliable } from "../../../src/engine/loo/mixture.ts";
import { haveModes, notMixed } from "../../../src/engine/loo/not_mixed.ts";
import { type Mixing, mixing, relativeEfficiency } from "../../../src/engine/loo/posterior.ts";
import { fitPareto } from "../../../src/engine/loo/pareto.ts";
import { fitTriangular, standardised } from "../../../src/engine/loo/proposals/fit_triangular.ts";
import { modesOf } from "../../../src/engine/loo/proposals/modes.ts";
import { fitNormals } from "../../../src/engine/loo/proposals/normal_densities.ts";
import { densitiesAt, type ProposalDraws } from "../../../src/engine/loo/proposals/proposal.ts";
import { fitSplit } from "../../../src/engine/loo/proposals/split_student.ts";
import { normalised, tempered } from "../../../src/engine/loo/proposals/weights.ts";
import { goodParetoK, psisLoo } from "../../../src/engine/loo/psis.ts";
import { choosePairs } from "../../../src/engine/loo/regressors.ts";
import { rhatOfFewDraws } from "../../../src/engine/loo/rhat_limits.ts";
import { drawsFor, maxDrawsOf } from "../../../src/engine/loo/sequential_error.ts";
import { steppingStones } from "../../../src/engine/loo/stepping_stones.ts";
import { particlesLoo, reserveForParticles } from "../../../src/engine/loo/particles_loo.ts";
import { tailShape } from "../../../src/engine/loo/tail_shape.ts";
import { withThresholds } from "../../../src/engine/loo/thresholds.ts";
import { sharesLatents } from "../../../src/engine/loo/units.ts";
import type { ChainSet } from "../../../src/engine/inference/mcmc/chain_set.ts";
import { finish, sampleChains } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { fieldChoice } from "../../../src/engine/inference/gaussian/field_choice.ts";
import { fieldLoo } from "../../../src/engine/loo/field.ts";
import { columnsOf } from "../../../src/engine/inference/predict/draws.ts";
import { rowLatent } from "../../../src/engine/inference/predict/row_latent.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { dugongsDensity } from "../mcmc/dugongs_density.ts";
import { eightSchoolsDensity } from "../mcmc/eight_schools_density.ts";
import { funnel } from "../mcmc/funnel.ts";
import { correlatedNormal, normalMeanDensity } from "../mcmc/normal_densities.ts";
import { hierarchyText, schools } from "../score/schools.ts";
import { elpdByChains, elpdOf } from "./elpd_by_chains.ts";

/** From N(0, 1) to the posterior of its location given an observation at 12. */
function crossed(): Outcome {
  const without: LogDensity = {
    dimension: 1,
    logDensity(position, gradient, offset) {
      gradient[offset] = -position[offset];
      return -0.5 * position[offset] ** 2;
    },
  };
  const logL = (q: number) => -0.5 * (12 - q) ** 2;
  const full: LogDensity = {
    dimension: 1,
    logDensity(position, gradient, offset) {
      const value = without.logDensity(position, gradient, offset);
      gradient[offset] += 12 - position[offset];
      return value + logL(position[offset]);
    },
  };
  const logLikelihood = ({ positions }: ChainSet) => positions.map(logL);
  const ends = [without, full].map((density, power) => {
    const limits = { chains: 2, tune: 50, draws: 50 };
    const drawn = finish(sampleChains(density, limits, ["ends", power], { used: 0, limit: 1e5 }));
    if (drawn.kind !== "chains") throw new Error(drawn.kind);
    return { power, set: drawn.chainSet, logLikelihood: logLikelihood(drawn.chainSet) };
  });
  const goal = { key: ["stones"], targetMcse: 1, maxDraws: 100, softLimit: 1e5 };
  const crossing = { without, full, logLikelihood, ...goal };
  const budget = { used: 0, limit: 1e5 };
  return [finish(steppingStones([ends[0], ends[1]], crossing, budget)), budget.used];
}

/** A number of which the distance from zero is known. */
function fourDistances(): PointwiseDensity {
  const values = Float64Array.of(1.9, 2.1, 2.2, 1.8);
  const data = makeDataset("four", [{ name: "y", role: "response", type: "real", values }]);
  const checked = checkProgram(
    `import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0.3, 1)
    pm.Normal("y", pm.math.abs(a), 0.2, observed=data["y"])
`,
    data,
  );
  if (!checked.ok) throw new Error(checked.diagnostics[0].message);
  return compileLogDensity(checked.program, data);
}

/** A distance of two modes by particles, as often as the budget has room for. */
function particles(targetMcse: number): Outcome {
  const budget = { used: 0, limit: 400_000 };
  const found = finish(particlesLoo(fourDistances(), { targetMcse, seedKey: ["few"] }, budget));
  return [found?.raw, found?.mcse, found?.draws, budget.used];
}

/** Counts along a random walk. */
function ofField(targetMcse: number): Outcome {
  const values = Float64Array.of(2, 1, 4, 3, 7, 5);
  const data = makeDataset("six", [{ name: "y", role: "response", type: "count", values }]);
  const checked = checkProgram(
    `import pymc as pm

with pm.Model() as model:
    s = pm.HalfNormal("s", 0.5)
    u = pm.Normal("u", 0, s, shape=6)
    pm.Poisson("y", pm.math.exp(pm.math.cumsum(u)), observed=data["y"])
`,
    data,
    undefined,
    { rows: "ordered" },
  );
  if (!checked.ok) throw new Error(checked.diagnostics[0].message);
  const choice = fieldChoice(checked.program, data, undefined)!;
  const budget = { used: 0, limit: 1e6 };
  return [finish(fieldLoo(choice, { targetMcse, seedKey: ["field"] }, budget)), budget.used];
}

/** Result of a run: any JSON value. */
export type Outcome = unknown;

const schedule = { chains: 4, tune: 100, draws: 125, targetMcse: 0.05 };

/** The number, how it came about, and what it cost. */
export function summaryOf(result: ElpdResult, used: number): Outcome {
  if (result.kind !== "ok") return { ...result, used };
  const { method, elpdLoo: elpd, mcse, draws, exactRefits, unresolved } = result;
  return { method, elpd, mcse, draws, exactRefits, unresolved, used };
}

type Estimator = typeof elpdByChains;

function estimated(
  estimator: Estimator,
  density: PointwiseDensity,
  seed: number,
  changes: Partial<typeof schedule> & { readonly limit?: number } = {},
): Outcome {
  const { limit = 1e6, ...rest } = changes;
  const budget = { used: 0, limit };
  const settings = { ...schedule, ...rest, seedKey: ["scenario", seed] };
  return summaryOf(finish(estimator(density, settings, budget)), budget.used);
}

function compiled(text: string, data: typeof schools): PointwiseDensity {
  const checked = checkProgram(text, data);
  if (!checked.ok) throw new Error("the program of a scenario is wrong");
  const latent = rowLatent(checked.program, columnsOf(data));
  return compileLogDensity(checked.program, data, { latent });
}

/** Three groups of four measurements each. */
const groups = makeDataset("groups", [
  {
    ...{ name: "g", role: "predictor", type: "count" },
    values: Float64Array.of(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2),
  },
  {
    ...{ name: "y", role: "response", type: "real" },
    values: Float64Array.of(0.3, 1.2, 0.8, -0.4, 4.1, 3.2, 5, 3.9, -2, -1.2, -0.3, -2.4),
  },
]);

const groupEffects = `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 0, 5)
    tau = pm.HalfNormal("tau", 3)
    s = pm.HalfNormal("s", 1)
    z = pm.Normal("z", mu, tau, shape=3)
    pm.Normal("y", z[data["g"]], s, observed=data["y"])
`;

const withoutLatents = () => {
  const { latents: _, ...density } = eightSchoolsDensity();
  return density;
};

/** An even mixture of two normals, `gap` standard deviations apart. */
function twoModes(gap: number, lift = 0): LogDensity {
  return {
    dimension: 1,
    logDensity(q, g, o) {
      const [l, r] = [q[o] + gap / 2, q[o] - gap / 2];
      const [a, b] = [-0.5 * l * l + lift, -0.5 * r * r];
      const value = Math.max(a, b) + log(1 + exp(-Math.abs(a - b)));
      g[o] = -l * exp(a - value) - r * exp(b - value);
      return value;
    },
  };
}

function chainsOf(density: LogDensity, limit: number, seed = 0): Outcome {
  const budget = { used: 0, limit };
  const settings = { chains: 4, tune: 100, draws: 125, seedKey: ["chains", seed] };
  const result = finish(sampleMixed(density, settings, budget));
  if (result.kind !== "chains") return { ...result, used: budget.used };
  const { rhatMax } = mixing(result.chainSet);
  return { draws: result.chainSet.draws, rhatMax, used: budget.used };
}

function normals(count: number, ...key: string[]): Float64Array {
  const out = new Float64Array(count);
  fillNormal(new RandomStream(...key), out);
  return out;
}

/** Draws of a banana with weights of a few orders. */
function fitted(): Outcome {
  const noise = normals(600, "fitted");
  const positions = noise.map((z, s) => s % 2 === 0 ? z : 0.3 * z + 0.5 * noise[s - 1] ** 2);
  const logWeights = Float64Array.from({ length: 300 }, (_, s) => -0.2 * noise[2 * s] ** 2);
  const weights = normalised(logWeights);
  const draws = standardised(positions, 2, weights)!;
  const proposal = fitTriangular(draws, weights)!;
  const at = Float64Array.of(0, 0, 2, 4, -3, 9, 8, 60, 0.1, -7);
  const { polynomials } = fitNormals(draws, [weights.weights]);
  return [proposal.logPeak, [...densitiesAt(proposal, at)], polynomials.map((p) => [...p])];
}

const lines = {
  normal: (z: number) => -0.5 * z * z,
  laplace: (z: number) => -Math.abs(z - 3),
  cauchy: (z: number) => -log(1 + z * z),
  gumbel: (z: number) => -z - exp(-z),
  half: (z: number) => z < 2 ? -Infinity : -z,
  steep: (z: number) => z > 0 ? -900 * z : 0.01 * z,
  heavy: (z: number) => -0.55 * log(1 + z * z),
  spike: (z: number) => log(exp(-0.5 * z * z) + 500 * exp(-0.5 * (900 * (z - 4.3)) ** 2)),
};

/** Integrals of all lines, and how often they were evaluated. */
function integrated(names: readonly (keyof typeof lines)[], from: number, scale: number): Outcome {
  let calls = 0;
  const integrals = new LineIntegrals((z, logs) => {
    calls++;
    for (let i = 0; i < logs.length; i++) logs[i] = lines[names[i]](z[i]);
  }, names.length);
  const n = names.length;
  const out = new Float64Array(n);
  const peaks = { centre: new Float64Array(n).fill(from), scale: new Float64Array(n).fill(scale) };
  integrals.write(peaks, out, 0);
  return { out: [...out], calls };
}

/** Where a search for modes ends, and how often it evaluated. */
function sought(f: (z: number) => number, from: number, scale: number): Outcome {
  let calls = 0;
  const search = new ModeSearch((z, logs) => {
    calls++;
    logs[0] = f(z[0]);
  }, 1);
  const peaks = { centre: Float64Array.of(from), scale: Float64Array.of(scale) };
  search.seek(peaks);
  return [peaks.centre[0], peaks.scale[0], calls];
}

const setOf = (chains: number, draws: number) => ({ chains, draws }) as ChainSet;

/** Every run by name. */
export const scenarios: Readonly<Record<string, () => Outcome>> = {
  "lattice in one coordinate": () => inClosedForm(1),
  "lattice in two coordinates": () => inClosedForm(2),
  "lattice in three coordinates": () => inClosedForm(3),
  "lattice without room": () => inClosedForm(2, 0.0001, 500),
  "closed form from chains": () =>
    withThresholds(
      { goodEfficiency: 2, minLastEfficiency: 2, latticeCoordinates: 0 },
      () => inClosedForm(1),
    ),
  field: () => ofField(0.05),
  "stepping stones": crossed,
  particles: () => particles(10),
  "more particles": () => particles(0),
  "field without end": () => ofField(0.001),
  pareto: () => {
    const x = Float64Array.from({ length: 40 }, (_, s) => 0.7 * ((40.5 - s) / 40) ** -0.6 - 0.6);
    return [fitPareto(x.sort()), goodParetoK(1e6), goodParetoK(1e3)];
  },
  psis: () => {
    const found = psisLoo(normals(400, "psis").map((z) => -0.5 * z * z), 40, 10, 1);
    const few = psisLoo(normals(60, "few").map((z) => -0.5 * z * z), 30, 2, 1);
    const fewer = psisLoo(normals(32, "fewer").map((z) => -0.5 * z * z), 16, 2, 1);
    return [found.elpdLoo, [...found.paretoK], few.elpdLoo, fewer.elpdLoo, [...fewer.paretoK]];
  },
  tails: () =>
    [30, 20, 45, 640].map((n) => {
      const ratios = Float64Array.from({ length: n }, (_, s) => ((s + 0.5) / n) ** -0.6);
      return tailShape(ratios);
    }),
  limits: () => [
    ...[10, 20, 100, 1000].map((d) => rhatOfFewDraws(1.05, d)),
    ...[10, 45, 60, 90, 1000].map(refitLimit),
    ...[-0.3, -0.7].map(logGain),
    ...[[3, 100], [8, 400], [13, 2000], [30, 500]].map(([d, n]) => choosePairs(d, n)?.length ?? -1),
    ...[10, 4000].map((n) => maxDrawsOf(setOf(4, 1), n)),
    ...[[9, 40], [20, 40], [9, 80]].map(([dimension, observations]) =>
      reserveForParticles(
        { dimension, observations } as unknown as PointwiseDensity,
        { used: 0, limit: 1000 },
      )
    ),
    ...[0.051, 0.07, 0.4].map((mcse) => drawsFor(setOf(4, 130), mcse, 0.05, 10)),
    ...[90, 150, 350].map((rows) =>
      sharesLatents(
        {
          observations: rows,
          latents: { elements: 2, elementOfRow: new Int32Array(rows) },
        } as unknown as PointwiseDensity,
      )
    ),
  ],
  split: () =>
    [[0.3, 40], [-1.2, 200], [3, 5000]].map(([cube, effective]) => {
      const values = normals(200, "split").map((z) => z + cube * z * z);
      return fitSplit(values, new Float64Array(200).fill(1 / 200), effective);
    }),
  tempered: () => {
    const logWeights = normals(100, "tempered").map((z) => 4 * z);
    return [tempered(logWeights, 30).effective, tempered(logWeights, 60).effective];
  },
  fitted,
  "nearly constant": () => {
    const weights = normalised(new Float64Array(100));
    return [0.7e-12, 1.5e-12].map((sd) => {
      const positions = Float64Array.from({ length: 100 }, (_, s) => s % 2 === 0 ? 1 + sd : 1 - sd);
      return standardised(positions, 1, weights) === undefined;
    });
  },
  quantities: () =>
    [100, 200].map((n) => {
      const positions = normals(80, "quantities");
      const density = {
        ...{ dimension: 1, quantities: new Array(n).fill("q") },
        constrain: (q: Float64Array, o: number, out: Float64Array) => out.fill(q[o] * q[o]),
      } as unknown as PointwiseDensity;
      return relativeEfficiency(
        density,
        { positions, chains: 4, draws: 20, dimension: 1 } as ChainSet,
      );
    }),
  "rows of many weights": () => {
    const estimate = (variance: number[], k = 0.2) =>
      ({
        variance: Float64Array.from(variance),
        psis: { paretoK: variance.map(() => k) },
      }) as unknown as Estimate;
    return [
      distantObservations(estimate([1, 3, 6, 9])),
      ...[0.3, 0.7].map((k) => isUnreliable(estimate([0.15], k))),
      ...[0.15, 0.3].map((variance) => isUnreliable(estimate([variance]))),
      ...[70, 150].map((n) => fitsMixture(estimate(new Array(n).fill(1)))),
    ];
  },
  "chains apart": () =>
    [3, 7].map((gap) => {
      const [chains, draws] = [4, 60];
      const positions = normals(chains * draws, "apart").map((z, s) => z + (s < 120 ? 0 : 20));
      const logDensities = positions.map((_, s) => s < 120 ? 0 : gap);
      const chainSet = { positions, logDensities, chains, draws, dimension: 1 } as ChainSet;
      Object.assign(chainSet, { diverging: new Uint8Array(240), steps: new Int32Array(4) });
      return haveModes({ kind: "chains", chainSet });
    }),
  "chains that run away": () =>
    [0.7e12, 1.5e12].map((most) => {
      const positions = Float64Array.from({ length: 40 }, (_, s) => most * (s + 1) / 40);
      const set = { positions, chains: 4, draws: 10, dimension: 1 } as ChainSet;
      Object.assign(set, { diverging: new Uint8Array(40), steps: new Int32Array(4) });
      return notMixed(set, { rhatMax: 2 } as Mixing);
    }),
  belief: () =>
    [[1.2, 0], [1.9, 0], [2.2, 0], [2.5, 0], [0.3, 0.5], [0.3, 1], [0.3, 2]].map(
      ([spread, tail]) => {
        const logWeights = normals(400, "belief").map((z) => spread * z);
        const logLikelihood = normals(400, "likelihood").map((z) => -tail * Math.abs(z) ** 1.5);
        const draws = { count: 400, logWeights, logLikelihood } as unknown as ProposalDraws;
        const averages = { pointwise: new Float64Array(1), mcse: 0, raw: 0, largest: 0 };
        return trusted(draws, averages)?.shapes[0] ?? "not believed";
      },
    ),
  "candidates for draws of their own": () =>
    [0.2, 0.4, 0.7].flatMap((spread) =>
      [0, -0.7e9, -1.5e9].map((least) => {
        const logLikelihood = normals(100, "candidates").map((z) => Math.sqrt(spread) * z);
        logLikelihood[0] += least;
        const logWeights = new Float64Array(100);
        logWeights[0] = -800;
        return candidatesAmong({ count: 100, logWeights, logLikelihood } as ProposalDraws);
      })
    ),
  "posteriors without a row": () => {
    const one = Float64Array.of(1);
    const whole = { mode: Float64Array.of(0), covariance: one, factor: one, evidence: 0 };
    const far = [[0, 1], [1.5, 1], [3, 1], [5, 1], [0, 1.5], [0, 3], [0, 5]].map(([mean, sd]) => {
      const lacking = correlatedNormal(1, 0);
      const moved: LogDensity = {
        dimension: 1,
        logDensity(q, g, o) {
          const at = Float64Array.of((q[o] - mean) / sd + 1);
          const value = lacking.logDensity(at, g, o);
          g[o] /= sd;
          return value;
        },
      };
      return isDistant(whole, moved, { used: 0, limit: 1e5 });
    });
    const leverages = [0, 0.3, 0.5, 0.7, 0.9];
    const shifts = [0, 0.8, 1.2, 1.6, 2.2, 3];
    return [far, leverages.map((leverage) => mayBeDistant({ leverage, shift: 0 }))]
      .concat([shifts.map((shift) => mayBeDistant({ leverage: 0, shift }))]);
  },
  "rows far out on both sides": () =>
    [2, 3].map((far) => {
      const others = [0.3, -0.2, 0.5, -1.1, 0.4, 0.1];
      const out = Array.from({ length: far }, (_, i) => i % 2 === 0 ? 15 : -15);
      const goal = { ...schedule, seedKey: ["both sides"] };
      const density = normalMeanDensity([...others, ...out]);
      const found = finish(importanceLoo(density, goal, { used: 0, limit: 1e6 }));
      return [found?.mcse, found?.distant];
    }),
  "schools that cannot be left out": () => {
    const { without: _, latents: __, ...density } = eightSchoolsDensity();
    const goal = { ...schedule, targetMcse: 0.05, seedKey: ["far out", 0] };
    const found = finish(importanceLoo(density, goal, { used: 0, limit: 1e6 }));
    return [found?.mcse, found?.draws];
  },
  "too many rows": () =>
    [5000, 10_000].map((observations) => {
      const one = normalMeanDensity([0]);
      const flat = (_: Float64Array, g: Float64Array, o: number) => g[o] = 0;
      const budget = { used: 0, limit: 1e5 };
      const goal = { ...schedule, seedKey: ["rows"] };
      finish(importanceLoo({ ...one, observations, logDensity: flat }, goal, budget));
      return budget.used;
    }),
  modes: () =>
    [[3, 0], [7, 0], [12, 0], [12, 4], [12, 9], [20, 15]].map(([gap, lift]) => {
      const budget = { used: 0, limit: 1e5 };
      const found = modesOf(twoModes(gap, lift), ["modes"], budget);
      return [found.map(({ mode }) => mode[0]), budget.used];
    }),
  lines: () => [
    integrated(["normal"], 1, 2),
    integrated(["laplace"], 0, 1),
    integrated(["gumbel"], 3, 1),
    integrated(["cauchy"], 0, 1),
    integrated(["half"], 5, 1),
    integrated(["heavy"], 0, 1),
    integrated(["spike"], 0, 1),
    integrated(["normal", "laplace"], 30, 0.1),
  ],
  searches: () => [
    sought(lines.steep, -40, 1),
    sought(lines.steep, 0.3, 1),
    sought(lines.gumbel, -5, 1),
    sought((z) => -(Math.abs(z) ** 1.5), 3, 1),
    sought((z) => -0.5 * (z - 1e6) * (z - 1e6), 0, 1),
    sought((z) => -Math.abs(z - 0.123), 3, 1),
    sought((z) => -0.01 * z - exp(-z), -0.7, 5),
    sought((z) => -0.01 * z - exp(-z), -0.2, 5),
    sought((z) => z > 1 && z < 1.001 ? 0 : -Infinity, 1.0005, 1),
  ],
  dugongs: () => estimated(elpdOf, dugongsDensity(), 1),
  "dugongs, small error": () => estimated(elpdOf, dugongsDensity(), 2, { targetMcse: 0.012 }),
  "dugongs by chains": () => estimated(elpdByChains, dugongsDensity(), 1),
  outlier: () => estimated(elpdOf, normalMeanDensity([0.3, -0.2, 0.5, -1.1, 0.4, 9]), 1),
  "outlier by chains": () =>
    estimated(elpdByChains, normalMeanDensity([0.3, -0.2, 0.5, -1.1, 0.4, 9]), 1),
  "light tails by chains": () =>
    estimated(elpdByChains, normalMeanDensity([...normals(40, "light")]), 1, { targetMcse: 0.02 }),
  "rows of middle weight": () =>
    estimated(elpdByChains, normalMeanDensity([0.3, -0.2, 0.5, -1.1, 0.4, 2.2]), 1),
  "schools of draws": () => estimated(elpdOf, withoutLatents(), 1),
  "schools of draws, other seed": () => estimated(elpdOf, withoutLatents(), 2),
  schools: () => estimated(elpdOf, compiled(hierarchyText("Normal", "centred"), schools), 1),
  "schools by chains": () =>
    estimated(elpdByChains, compiled(hierarchyText("Normal", "non-centred"), schools), 1),
  groups: () => estimated(elpdOf, compiled(groupEffects, groups), 1),
  "groups by chains": () => estimated(elpdByChains, compiled(groupEffects, groups), 1),
  "a small budget": () => estimated(elpdOf, withoutLatents(), 1, { limit: 9000 }),
  "chains of two modes": () => chainsOf(twoModes(40), 1e5),
  "chains of near modes": () => chainsOf(twoModes(7), 1e5),
  "chains of a funnel": () => chainsOf(funnel(8), 60_000),
  "importance draws of two modes": () => weighted({ ...besideNothing, ...twoModes(9, 1) }, 0.05),
  "importance draws, at last": () =>
    [2.5e-4, 6e-5, 3e-5].map((error) => weighted({ ...besideNothing, ...twoModes(4) }, error)),
  "chains with little": () =>
    withThresholds({ alwaysAllowed: 500 }, () => [
      chainsOf(funnel(8), 60_000),
      chainsOf(funnel(3), 200_000),
      chainsOf(twoModes(6), 50_000),
      estimated(elpdByChains, withoutLatents(), 3, { limit: 30_000 }),
    ]),
};

/** Five rows whose likelihoods hardly vary. */
const besideNothing = {
  ...normalMeanDensity([0, 0, 0, 0, 0]),
  logLikelihood(q: Float64Array, o: number, out: Float64Array, outOffset: number) {
    for (let i = 0; i < 5; i++) out[outOffset + i] = -0.002 * (q[o] - i) * (q[o] - i);
  },
};

function weighted(density: PointwiseDensity, targetMcse: number): Outcome {
  const goal = { ...schedule, targetMcse, seedKey: ["weighted"] };
  return summaryOfDraws(importanceLoo(density, goal, { used: 0, limit: 1e6 }));
}

function summaryOfDraws(work: ReturnType<typeof importanceLoo>): Outcome {
  const found = finish(work);
  return found ? [found.raw, found.mcse, found.draws, [...found.pointwise]] : "none";
}

/** Group effects whose rows share elements, with so many scales; the rest is integrated out. */
function inClosedForm(scales: number, targetMcse = 0.05, limit = 1e6): Outcome {
  const names = ["t", "s", "m"].slice(0, scales);
  const [t, s, m] = ["t", "s", "m"].map((name) => names.includes(name) ? name : "1");
  const lines = [
    ...names.map((name) => `${name} = pm.HalfNormal("${name}", 1)`),
    `mu = pm.Normal("mu", 0, ${m})`,
    `z = pm.Normal("z", mu, ${t}, shape=3)`,
    `pm.Normal("y", z[data["g"]], ${s}, observed=data["y"])`,
  ];
  const text = `import pymc as pm\n\nwith pm.Model() as model:\n    ${lines.join("\n    ")}\n`;
  const checked = checkProgram(text, groups);
  if (!checked.ok) throw new Error("the program of a scenario is wrong");
  const posterior = () => closedFormPosterior(checked.program, groups);
  const goal = { ...schedule, targetMcse, seedKey: ["closed form"] };
  const budget = { used: 0, limit };
  const estimate = finish(closedFormLoo({ first: true, isSmall: true, posterior }, goal, budget));
  if (estimate === "lost") throw new Error("the posterior of a scenario is improper");
  return [estimate?.kind, budget.used, ...(estimate?.found.pointwise ?? [])];
}
