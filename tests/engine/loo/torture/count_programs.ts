/** Random programs with count, binary or Student responses as text, and their leave-one-out by quadrature. */
import { type Dataset, makeDataset } from "../../../../src/base/dataset.ts";
import { fillNormal } from "../../../../src/numerics/math/random_normal.ts";
import { RandomStream } from "../../../../src/base/random.ts";
import { alongChain, type Given, inGroups, leaveOneOut } from "./quadrature.ts";
import { type Response, responses } from "./responses.ts";

/** A program, its data, and log p(y_i | y_-i) of every row by quadrature. */
export interface CountProgram {
  readonly name: string;
  readonly text: string;
  readonly data: Dataset;
  exact(): Float64Array;
}

type Range = readonly [number, number];
/** An unconstrained coordinate: the value that it stands for, and log p with its Jacobian. */
interface Coordinate {
  readonly range: Range;
  readonly statement: string;
  readonly value: (u: number) => number;
  readonly logPrior: (u: number) => number;
}

/** A number of a program: written as it is, or a parameter. */
interface Quantity {
  readonly text: string;
  readonly about: number;
  readonly coordinate?: Coordinate;
}

const halfLog2Pi = 0.5 * Math.log(2 * Math.PI);
const short = (x: number) => Number(x.toPrecision(4));

function normal(name: string, mean: number, sd: number): Quantity {
  return {
    text: name,
    about: mean,
    coordinate: {
      range: [mean - 11 * sd, mean + 11 * sd],
      statement: `${name} = pm.Normal("${name}", ${mean}, ${sd})`,
      value: (u) => u,
      logPrior: (u) => -halfLog2Pi - Math.log(sd) - 0.5 * ((u - mean) / sd) ** 2,
    },
  };
}

/** A scale of this size; in one of three it is a number, else it has a prior. */
function scale(name: string, about: number, random: RandomStream): Quantity {
  const s = short(about);
  if (random.uniform() < 0.35) return { text: `${s}`, about: s };
  const centre = short(Math.log(s));
  return {
    text: name,
    about: s,
    coordinate: {
      range: [centre - 2, centre + 2.2],
      statement: `${name} = pm.LogNormal("${name}", ${centre}, 0.4)`,
      value: Math.exp,
      logPrior: (u) => -halfLog2Pi - Math.log(0.4) - 0.5 * ((u - centre) / 0.4) ** 2,
    },
  };
}

/** Data and random numbers from which a program is made. */
interface Setting {
  readonly random: RandomStream;
  readonly n: number;
  readonly x: Float64Array;
  readonly group: Float64Array;
  readonly groups: number;
  readonly response: Response;
}

/** Quantities, statements and linear predictor of a kind of program. */
interface Structure {
  readonly quantities: readonly Quantity[];
  readonly statements: readonly string[];
  readonly eta: string;
  /** Linear predictors to draw data from. */
  readonly draw: (values: readonly number[]) => Float64Array;
  /** log p(y) and log p(y_-i) given the quantities. */
  readonly given: (values: readonly number[], density: (i: number, eta: number) => number) => Given;
}

/** Rows that see nothing but the quantities. */
function directly(etas: ArrayLike<number>, density: (i: number, eta: number) => number): Given {
  const own = Float64Array.from(etas, (eta, i) => density(i, eta));
  const whole = own.reduce((a, b) => a + b, 0);
  return { whole, without: own.map((one) => whole - one) };
}

function normals(random: RandomStream, count: number): Float64Array {
  const out = new Float64Array(count);
  fillNormal(random, out);
  return out;
}

const structures: Readonly<Record<string, (setting: Setting) => Structure>> = {
  line: ({ n, x }) => ({
    quantities: [normal("a", 0, 2), normal("b", 0, 1)],
    statements: [],
    eta: `a + b * data["x"]`,
    draw: ([a, b]) => x.map((one) => a + 0.5 + (b + 1) * one),
    given: ([a, b], density) => directly({ ...x.map((one) => a + b * one), length: n }, density),
  }),
  "row latents": ({ n, random, response }) => {
    const size = scale("s", 0.4 + random.uniform(), random);
    const free = size.coordinate !== undefined;
    const start = normal("a", 0, 2);
    const quantities = response.dispersion && free ? [size] : [start, size];
    const rows = Array.from({ length: n }, (_, i) => [i]);
    const [first, at] = quantities.length === 1 ? ["0.5", 0] : ["a", 1];
    const a = (values: readonly number[]) => at === 0 ? 0.5 : values[0];
    return {
      quantities,
      statements: [`z = pm.Normal("z", 0, 1, shape=${n})`],
      eta: `${first} + ${size.text} * z`,
      draw: (values) => normals(random, n).map((z) => a(values) + values[at] * z),
      given: (values, density) => inGroups(rows, (i, z) => density(i, a(values) + values[at] * z)),
    };
  },
  "group effects": ({ random, group, groups }) => {
    const size = scale("s", 0.4 + random.uniform(), random);
    const members = Array.from(
      { length: groups },
      (_, g) => [...group.keys()].filter((i) => group[i] === g),
    );
    return {
      quantities: [normal("m", 0, 1.5), size],
      statements: [`e = pm.Normal("e", m, ${size.text}, shape=${groups})`],
      eta: `e[data["g"]]`,
      draw([m, s]) {
        const own = normals(random, groups);
        return group.map((g) => m + s * own[g]);
      },
      given: ([m, s], density) => inGroups(members, (i, z) => density(i, m + s * z)),
    };
  },
  "random walk": ({ n, random, response }) => {
    const size = scale("t", 0.15 + 0.6 * random.uniform(), random);
    const bySteps = random.uniform() < 0.4;
    const chain = (s: number) => ({ first: { mean: 0, sd: bySteps ? s : 2 }, factor: 1, sd: s });
    return {
      quantities: [size],
      statements: [
        bySteps
          ? `u = pm.Normal("u", 0, ${size.text}, shape=${n})`
          : `u = pm.GaussianRandomWalk("u", sigma=${size.text}, ` +
            `init_dist=pm.Normal.dist(0, 2), shape=${n})`,
      ],
      eta: bySteps ? "pm.math.cumsum(u)" : "u",
      draw([s]) {
        const steps = normals(random, n);
        let at = bySteps ? 0 : steps[0];
        return steps.map((z, i) => i === 0 && !bySteps ? at : at += s * z);
      },
      given: ([s], density) => alongChain(chain(s), n, response.spacing, density),
    };
  },
  "Gaussian process": ({ n, random, response }) => {
    const size = scale("s", 0.5 + random.uniform(), random);
    const length = short(1.5 + 5 * random.uniform());
    const level = short(2 * random.uniform() - 0.5);
    const factor = Math.exp(-1 / length);
    const chain = (s: number) => ({
      first: { mean: 0, sd: s },
      factor,
      sd: s * Math.sqrt(1 - factor * factor),
    });
    return {
      quantities: [size],
      statements: [
        `i = np.arange(${n})`,
        `K = ${size.text}**2 * np.exp(-np.abs(i[:, None] - i[None, :]) / ${length})`,
        `f = pm.MvNormal("f", mu=np.zeros(${n}), cov=K)`,
      ],
      eta: `${level} + f`,
      draw([s]) {
        const white = normals(random, n);
        const { sd } = chain(s);
        let at = s * white[0];
        return white.map((z, i) => level + (i === 0 ? at : at = factor * at + sd * z));
      },
      given: ([s], density) =>
        alongChain(chain(s), n, response.spacing, (i, f) => density(i, level + f)),
    };
  },
  "process at three sites": ({ random, group }) => {
    const length = short(0.5 + 2 * random.uniform());
    const factor = Math.exp(-1 / length);
    const site = Float64Array.from(group, (g) => g % 3);
    const size = short(0.6 + random.uniform());
    const sd = size * Math.sqrt(1 - factor * factor);
    const white = ["f0", "f1", "f2"].map((name) => normal(name, 0, 1));
    const field = ([a, b, c]: readonly number[]) => {
      const first = size * a;
      const second = factor * first + sd * b;
      return [first, second, factor * second + sd * c];
    };
    return {
      quantities: white.map(({ coordinate, about }) => ({
        text: "",
        about,
        coordinate: { ...coordinate!, statement: "" },
      })),
      statements: [
        `i = np.arange(3)`,
        `K = ${size}**2 * np.exp(-np.abs(i[:, None] - i[None, :]) / ${length})`,
        `f = pm.MvNormal("f", mu=np.zeros(3), cov=K)`,
      ],
      eta: `0.3 + f[data["site"]]`,
      draw() {
        const f = field([...normals(random, 3)]);
        return site.map((g) => 0.3 + f[g]);
      },
      given(values, density) {
        const f = field(values);
        return directly(site.map((g) => 0.3 + f[g]), density);
      },
    };
  },
};

/** The program of this seed: kinds of structures in turn, and kinds of responses. */
export function countProgram(seed: number): CountProgram {
  const random = new RandomStream("count programs", seed);
  const kinds = Object.keys(structures);
  const kind = kinds[seed % kinds.length];
  const response = responses[Math.floor(seed / kinds.length) % responses.length];
  const n = 6 + Math.floor(25 * random.uniform());
  const groups = 3 + Math.floor(4 * random.uniform());
  const x = Float64Array.from({ length: n }, () => Number((2 * random.uniform() - 1).toFixed(3)));
  const group = Float64Array.from({ length: n }, (_, i) => i % groups);
  const structure = structures[kind]({ random, n, x, group, groups, response });
  // Grids of two coordinates are for rows without chains, those of three for few of them.
  const scales = structure.quantities.filter(({ coordinate }) => coordinate).length;
  const isChain = kind === "random walk" || kind === "Gaussian process";
  const fixed = isChain ? scales > 0 : scales > 2 || kind !== "line" && scales > 1 || n > 20;
  const dispersion = response.dispersion === undefined
    ? undefined
    : fixed
    ? { text: `${response.dispersion}`, about: response.dispersion }
    : scale("d", response.dispersion, random);
  const all = [...structure.quantities, ...(dispersion ? [dispersion] : [])];
  const etas = structure.draw(structure.quantities.map(({ about }) => about));
  const y = etas.map((eta) => response.draw(random, eta, dispersion?.about ?? 0));
  const isOff = random.uniform() < 0.5;
  const off = Math.floor(n * random.uniform());
  if (isOff) y[off] = response.outlier(y[off]);
  const likelihood = response.text(structure.eta, dispersion?.text ?? "");
  const statements = [
    ...all.map(({ coordinate }) => coordinate?.statement ?? ""),
    ...structure.statements,
    likelihood,
  ].filter((one) => one !== "");
  const text = `import numpy as np
import pymc as pm

with pm.Model() as model:
${statements.map((one) => `    ${one}\n`).join("")}`;
  const category = (name: string, values: Float64Array, count: number) => ({
    ...{ name, role: "predictor" as const, type: "category" as const, values },
    categories: Array.from({ length: count }, (_, k) => `${name}${k}`),
  });
  const data = makeDataset("counts", [
    { name: "x", role: "predictor", type: "real", values: x },
    category("g", group, groups),
    category("site", group.map((g) => g % 3), 3),
    { name: "y", role: "response", type: response.type, values: y },
  ]);
  const free = all.filter(({ coordinate }) => coordinate);
  const exact = () =>
    leaveOneOut({
      rows: n,
      ranges: free.map(({ coordinate }) => coordinate!.range),
      given(theta) {
        let prior = 0;
        let k = 0;
        const values = all.map(({ coordinate, about }) => {
          if (!coordinate) return about;
          prior += coordinate.logPrior(theta[k]);
          return coordinate.value(theta[k++]);
        });
        const spread = dispersion ? values[values.length - 1] : 0;
        const found = structure.given(
          values,
          (i, eta) => response.logDensity(y[i], eta, spread),
        );
        return { whole: found.whole + prior, without: found.without.map((one) => one + prior) };
      },
    });
  const name = `${response.name}, ${kind}, ${n} rows, ${free.length} coordinates` +
    (isOff ? `, row ${off} far out` : "");
  return { name, text, data, exact };
}
