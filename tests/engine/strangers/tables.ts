/** Tables that the strangers' programs read: CSV texts from seeded random numbers. */
import { RandomStream } from "../../../src/base/random.ts";

/** A table by name of its columns. */
type Table = Readonly<Record<string, readonly (string | number)[]>>;

function rowsOf(count: number, make: (i: number, draw: Draws) => Record<string, string | number>) {
  const draw = new Draws(`strangers ${count} ${make}`);
  const rows = Array.from({ length: count }, (_, i) => make(i, draw));
  return Object.fromEntries(Object.keys(rows[0]).map((k) => [k, rows.map((row) => row[k])]));
}

class Draws {
  readonly #random: RandomStream;

  constructor(key: string) {
    this.#random = new RandomStream(key);
  }

  uniform(): number {
    return this.#random.uniform();
  }

  normal(mean: number, sd: number, digits = 3): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return round(mean + sd * radius * Math.cos(2 * Math.PI * this.uniform()), digits);
  }

  pick<T>(items: readonly T[], weights?: readonly number[]): T {
    let u = this.uniform() * (weights?.reduce((a, b) => a + b) ?? items.length);
    return items.find((_, k) => (u -= weights?.[k] ?? 1) < 0) ?? items[items.length - 1];
  }

  poisson(mean: number): number {
    let [count, term] = [0, Math.exp(-mean)];
    for (let u = this.uniform() - term; u > 0; u -= term) term *= mean / ++count;
    return count;
  }
}

function round(x: number, digits: number): number {
  return Number(x.toFixed(digits));
}

const species = ["setosa", "versicolor", "virginica"];
const effects: Readonly<Record<string, number>> = {
  A: 0,
  B: 1,
  C: -1,
  p: 0.3,
  q: -0.3,
};

const tables: Readonly<Record<string, Table>> = {
  plants: rowsOf(60, (i, d) => {
    const k = i % 3;
    const sepal = d.normal(5 + 0.7 * k, 0.4, 1);
    return { species: species[k], sepal, petal: d.normal(1.5 + 1.6 * k + 0.2 * sepal, 0.3, 1) };
  }),
  cells: rowsOf(36, (i, d) => {
    const [a, b] = ["ABC"[i % 3], d.pick(["p", "q"])];
    return { a, b, x: d.normal(0, 1), y: d.normal(effects[a] + effects[b], 0.5) };
  }),
  people: rowsOf(50, (_, d) => {
    const male = d.pick([0, 1]);
    const sex = male === 1 ? "m" : "f";
    const weight = d.normal(42 + 6 * male, 5, 2);
    return {
      male,
      sex,
      weight,
      age: d.pick([20, 35, 50, 65]),
      height: d.normal(115 + 0.9 * weight, 4, 2),
    };
  }),
  sleep: rowsOf(60, (i, d) => {
    const [subject, days] = [300 + i % 6, Math.floor(i / 6)];
    return {
      Reaction: d.normal(250 + 10 * days + 12 * Math.sin(subject), 18, 2),
      Days: days,
      Subject: `S${subject}`,
    };
  }),
  careers: rowsOf(60, (_, d) => {
    const income = d.normal(1, 1, 2);
    const weights = [Math.exp(income), 1, 1.5];
    return { income, career: d.pick(["law", "art", "sport"], weights) };
  }),
  ballots: rowsOf(20, (_, d) => {
    const votes = { left: 0, centre: 0, right: 0 };
    const lean = d.normal(0, 0.5);
    for (let k = 0; k < 40; k++) {
      votes[d.pick(["left", "centre", "right"] as const, [Math.exp(lean), 1.2, 0.8])] += 1;
    }
    return { lean, ...votes };
  }),
  directions: rowsOf(25, (_, d) => {
    const angle = d.normal(2.9, 0.75);
    return { theta: round(Math.atan2(Math.sin(angle), Math.cos(angle)), 3) };
  }),
  short_series: rowsOf(14, (i, d) => ({ t: i, y: d.normal(3 * Math.sin(i / 3), 1.2) })),
  autoregression: (() => {
    let u = 0;
    return rowsOf(40, (i, d) => {
      u = 0.8 * u + d.normal(0, 0.4);
      return { t: i, y: d.normal(1 + u, 0.3) };
    });
  })(),
  visits: rowsOf(48, (i, d) => {
    const [clinic, x] = [["north", "south", "east", "west"][i % 4], d.normal(0, 1)];
    const rate = Math.exp(0.8 + 0.4 * x + 0.3 * Math.sin(i % 4));
    return { clinic, x, days: d.pick([5, 10, 20]), n: d.uniform() < 0.2 ? 0 : d.poisson(rate) };
  }),
  lifetimes: rowsOf(40, (_, d) => {
    const x = d.normal(0, 1);
    const time = round(Math.exp(2 + 0.4 * x) * Math.pow(-Math.log(1 - d.uniform()), 0.7), 3);
    return { x, time: Math.min(time, 15), event: time < 15 ? 1 : 0 };
  }),
  ratings: rowsOf(60, (i, d) => {
    const [rater, age] = [`r${i % 5}`, 18 + Math.floor(50 * d.uniform())];
    const latent = 0.03 * (age - 40) + 0.5 * Math.cos(i % 5) + d.normal(0, 1.7);
    const rating = 1 + [-1.5, 0, 1.2].filter((cut) => latent > cut).length;
    return { rater, age, education: d.pick(["school", "college", "degree"]), rating };
  }),
  pairs: rowsOf(30, (_, d) => {
    const x = d.normal(0, 1);
    const y1 = d.normal(1 + 0.5 * x, 0.6);
    return { x, y1, y2: d.normal(0.4 * y1 - x, 0.4) };
  }),
};

/** A table as CSV; all but its header are numbers and plain words. */
export function csvOf(name: string): string {
  const table = tables[name];
  const columns = Object.values(table);
  const rows = columns[0].map((_, i) => columns.map((column) => column[i]).join());
  return `${[Object.keys(table).join(), ...rows].join("\n")}\n`;
}

/** Names of all tables. */
export const tableNames = Object.keys(tables);
