/** A hundred models as a teacher of a PyMC course writes them, with small data sets as a course has. */
import {
  type Column,
  type ColumnType,
  type Dataset,
  makeDataset,
} from "../../../../src/base/dataset.ts";
import { RandomStream } from "../../../../src/base/random.ts";
import type { RowOrder } from "../../../../src/engine/language/pymc/check.ts";
import { readCases } from "../../python/catalogue.ts";

/** One model and its data. */
export interface CourseModel {
  /** Data set, then what the model is. */
  readonly name: string;
  readonly text: string;
  readonly data: Dataset;
  readonly rows?: RowOrder;
}

const random = new RandomStream("course models");
const uniform = (low = 0, high = 1) => low + (high - low) * random.uniform();
/** Nearly standard normal: the sum of twelve. */
const noise = () => Array.from({ length: 12 }, () => random.uniform()).reduce((a, b) => a + b) - 6;
const round = (x: number, digits: number) => Number(x.toFixed(digits));
const list = (n: number, of: (i: number) => number) =>
  Float64Array.from({ length: n }, (_, i) => of(i));
const chance = (x: number) => 1 / (1 + Math.exp(-x));

/** Successes of some trials. */
function successes(trials: number, p: number): number {
  return Array.from({ length: trials }, () => random.uniform() < p ? 1 : 0).reduce<number>(
    (a, b) => a + b,
    0,
  );
}

/** A Poisson number by products of uniforms. */
function poisson(mean: number): number {
  let [k, product] = [0, random.uniform()];
  for (; product > Math.exp(-mean); k++) product *= random.uniform();
  return k;
}

type Part = readonly [string, ColumnType, Float64Array, (readonly string[])?];

function table(name: string, parts: readonly Part[]): Dataset {
  const columns = parts.map(([column, type, values, categories], k): Column => ({
    ...{ name: column, type, values, ...(categories && { categories }) },
    role: k === parts.length - 1 ? "response" : "predictor",
  }));
  return makeDataset(name, columns);
}

const letters = (n: number) => Array.from({ length: n }, (_, i) => String.fromCharCode(97 + i));

function howell(): Dataset {
  const age = list(36, () => Math.floor(uniform(8, 70)));
  const male = list(36, (i) => i * 5 % 7 % 2);
  const weight = list(
    36,
    (i) => round(50 - 26 * Math.exp(-age[i] / 9) + 4 * male[i] + 3 * noise(), 1),
  );
  const height = list(36, (i) => round(110 + 1.0 * weight[i] + 5 * male[i] + 4 * noise(), 1));
  return table("howell", [
    ["age", "count", age],
    ["male", "binary", male],
    ["weight", "real", weight],
    ["height", "real", height],
  ]);
}

function radon(): Dataset {
  const county = list(40, (i) => i * 7 % 8);
  const effect = list(8, () => 0.4 * noise());
  const floor = list(40, () => random.uniform() < 0.3 ? 1 : 0);
  const uranium = list(40, (i) => round(0.3 * effect[county[i]] + county[i] / 20, 3));
  const y = list(40, (i) => round(1.3 + effect[county[i]] - 0.6 * floor[i] + 0.6 * noise(), 3));
  return table("radon", [
    ["county", "category", county, letters(8)],
    ["floor", "binary", floor],
    ["uranium", "real", uranium],
    ["log_radon", "real", y],
  ]);
}

function divorce(): Dataset {
  const a = list(30, () => round(noise(), 3));
  const m = list(30, (i) => round(-0.7 * a[i] + 0.7 * noise(), 3));
  const south = list(30, (i) => i % 3 === 0 ? 1 : 0);
  const se = list(30, () => round(uniform(0.1, 0.6), 3));
  const d = list(30, (i) => round(-0.6 * a[i] + 0.3 * south[i] + 0.7 * noise(), 3));
  return table("divorce", [
    ["A", "real", a],
    ["M", "real", m],
    ["south", "binary", south],
    ["D_se", "real", se],
    ["D", "real", d],
  ]);
}

function chimps(): Dataset {
  const actor = list(48, (i) => i % 5);
  const block = list(48, (i) => i * 3 % 4);
  const treatment = list(48, (i) => Math.floor(i / 3) % 4);
  const bias = [-0.5, 0, 0.4, 1.5, -0.2];
  const y = list(
    48,
    (i) => random.uniform() < chance(bias[actor[i]] + 0.4 * (treatment[i] % 2)) ? 1 : 0,
  );
  return table("chimps", [
    ["actor", "category", actor, letters(5)],
    ["block", "category", block, letters(4)],
    ["treatment", "category", treatment, letters(4)],
    ["pulled_left", "binary", y],
  ]);
}

function frogs(): Dataset {
  const pred = list(24, (i) => i % 2);
  const big = list(24, (i) => Math.floor(i / 2) % 2);
  const density = list(24, (i) => [10, 25, 35][i % 3]);
  const y = list(
    24,
    (i) => successes(density[i], chance(2 - 1.8 * pred[i] + 0.5 * big[i] + 0.6 * noise())),
  );
  return table("frogs", [
    ["pred", "category", pred, ["no", "yes"]],
    ["big", "category", big, ["no", "yes"]],
    ["density", "count", density],
    ["surv", "count", y],
  ]);
}

function fish(): Dataset {
  const persons = list(40, (i) => 1 + i % 4);
  const camper = list(40, (i) => i * 7 % 5 % 2);
  const hours = list(40, () => round(uniform(0.5, 6), 1));
  const y = list(
    40,
    (i) => random.uniform() < 0.35 ? 0 : poisson(Math.exp(-0.3 + 0.5 * persons[i])),
  );
  return table("fish", [
    ["persons", "count", persons],
    ["camper", "category", camper, ["no", "yes"]],
    ["hours", "real", hours],
    ["fish", "count", y],
  ]);
}

function ratings(): Dataset {
  const flag = () => list(40, () => random.uniform() < 0.4 ? 1 : 0);
  const [action, intention, contact] = [flag(), flag(), flag()];
  const person = list(40, (i) => i % 6);
  const school = list(40, (i) => i * 3 % 4);
  const y = list(40, (i) => {
    const eta = -0.6 * action[i] - 0.5 * intention[i] - 0.8 * contact[i] + 0.3 * school[i] +
      1.6 * noise();
    return [-1.5, -0.4, 0.5, 1.6].filter((cut) => eta > cut).length;
  });
  return table("ratings", [
    ["action", "binary", action],
    ["intention", "binary", intention],
    ["contact", "binary", contact],
    ["person", "category", person, letters(6)],
    ["school", "category", school, ["none", "some", "college", "degree"]],
    ["rating", "category", y, ["1", "2", "3", "4", "5"]],
  ]);
}

function survival(): Dataset {
  const treated = list(30, (i) => i % 2);
  const clinic = list(30, (i) => i % 3);
  const end = list(30, (i) => [40, 50, 60][i * 2 % 3]);
  const days = list(30, (i) => {
    const time = Math.exp(2.9 + 0.5 * treated[i]) * -Math.log(random.uniform());
    return Math.max(0.5, round(Math.min(time, end[i]), 1));
  });
  return table("survival", [
    ["treated", "binary", treated],
    ["clinic", "category", clinic, ["n", "s", "w"]],
    ["end", "real", end],
    ["days", "real", days],
  ]);
}

function bioassay(): Dataset {
  const dose = list(8, (i) => round(-0.9 + 0.25 * i, 2));
  const animals = list(8, () => 6);
  const y = list(8, (i) => successes(6, chance(0.5 + 5 * dose[i])));
  return table("bioassay", [
    ["dose", "real", dose],
    ["animals", "count", animals],
    ["deaths", "count", y],
  ]);
}

function sleep(): Dataset {
  const subject = list(42, (i) => i % 6);
  const days = list(42, (i) => Math.floor(i / 6));
  const [level, slope] = [list(6, () => 25 * noise()), list(6, () => 5 * noise())];
  const y = list(42, (i) => {
    const s = subject[i];
    return round(255 + level[s] + (10 + slope[s]) * days[i] + 20 * noise(), 1);
  });
  return table("sleep", [
    ["subject", "category", subject, letters(6)],
    ["days", "count", days],
    ["reaction", "real", y],
  ]);
}

function cherry(): Dataset {
  const year = list(40, (i) => 1900 + 3 * i);
  const temp = list(40, (i) => round(6 + i / 40 + 0.5 * noise(), 2));
  const doy = list(
    40,
    (i) => Math.round(104 - 4 * (temp[i] - 6) + 3 * Math.sin(i / 6) + 3 * noise()),
  );
  return table("cherry", [["year", "count", year], ["temp", "real", temp], ["doy", "real", doy]]);
}

function shares(): Dataset {
  const batch = list(24, (i) => i % 5);
  const temp = list(24, () => round(uniform(-1, 1), 2));
  const y = list(24, (i) => round(chance(-0.4 + 0.8 * temp[i] + 0.3 * noise()), 3));
  return table("shares", [
    ["batch", "category", batch, letters(5)],
    ["temp", "real", temp],
    ["share", "real", y],
  ]);
}

function species(): Dataset {
  const kind = list(30, (i) => i * 11 % 3);
  const petal = list(30, (i) => round(1.8 + 1.5 * kind[i] + 0.7 * noise(), 1));
  return table("species", [["petal", "real", petal], ["species", "category", kind, [
    "s",
    "v",
    "w",
  ]]]);
}

function captures(): Dataset {
  const forest = list(20, () => round(noise(), 2));
  const y = list(20, (i) => random.uniform() < chance(0.5 + forest[i]) ? successes(5, 0.45) : 0);
  return table("captures", [["forest", "real", forest], ["seen", "count", y]]);
}

function angles(): Dataset {
  const wind = list(24, () => round(noise(), 2));
  const y = list(24, (i) => round(0.5 + 0.5 * wind[i] + 0.5 * noise(), 2));
  return table("angles", [["wind", "real", wind], ["angle", "real", y]]);
}

/** Data set of each file of models; walks are about the years of the cherries. */
function datasets(): Readonly<Record<string, Dataset>> {
  const all = [
    ...[howell(), radon(), divorce(), chimps(), frogs(), fish(), ratings(), survival(), bioassay()],
    ...[sleep(), cherry(), shares(), species(), captures(), angles()],
  ];
  const named = Object.fromEntries(all.map((one) => [one.name, one]));
  return { ...named, walk: named.cherry };
}

/** All of them, in a fixed order. */
export function courseModels(): CourseModel[] {
  return Object.entries(datasets()).flatMap(([file, data]) => {
    const cases = readCases(Deno.readTextFileSync(new URL(`./${file}.txt`, import.meta.url)));
    return cases.map(({ title, program }) => ({
      ...{ name: `${file}: ${title}`, text: program, data },
      ...(file === "walk" && { rows: "ordered" as const }),
    }));
  });
}
