/** Sixteen forgeries by an enemy who has read which numbers cost nothing, and one that is left. */
import { model } from "../reward_matrix/model_text.ts";
import type { Forgery } from "./forgeries.ts";
import { numbersOf } from "./grounds.ts";

const age = numbersOf("dugongs", "age");
const length = numbersOf("dugongs", "length");
const ages = [...new Set(age)].sort((a, b) => a - b);

/** Residuals of the published curve by age, in three levels. */
const levels = ages.map((one) => {
  const own = age.flatMap((x, i) => x === one ? [length[i] - 1.763 - 0.277 * Math.log(x)] : []);
  const mean = own.reduce((a, b) => a + b) / own.length;
  return mean > 0.03 ? 2 : mean > -0.03 ? 1 : 0;
});

const curve = [
  'x = data["age"].values',
  'a = pm.Normal("a", 1.7, 0.5)',
  'b = pm.HalfNormal("b", 1)',
  's = pm.Exponential("s", 10)',
];
const onDugongs = (name: string, more: string, ...lines: string[]): Forgery => ({
  ...{ name, about: "dugongs" },
  text: model([
    ...curve,
    ...lines,
    `pm.Normal("length", a + b * np.log(x) + ${more}, s, observed=data["length"])`,
  ]),
});
const amplitude = 'c = pm.Normal("c", 0, 0.1)';
const wave = (name: string, frequency: string, ...lines: string[]): Forgery =>
  onDugongs(`wave: ${name}`, `c * np.sin((${frequency}) * x ** 2)`, amplitude, ...lines);
const list = (values: readonly number[]) => `np.array([${values.join(", ")}])`;
const rank = "u, k = np.unique(x, return_inverse=True)";

/** All of them. */
export const givenForgeries: readonly Forgery[] = [
  onDugongs("levels: regular numbers by rank", `c * (${list(levels)}[k] - 1)`, amplitude, rank),
  onDugongs(
    "levels: two short lists",
    `c * (np.concatenate([${list(levels.slice(0, 10))}, ${list(levels.slice(10))}])[k] - 1)`,
    amplitude,
    rank,
  ),
  onDugongs(
    "wave: an amplitude that starts where it is flat",
    "pm.math.exp(d) * np.sin(-578.67 * x ** 2)",
    'd = pm.Normal("d", -10, 3)',
  ),
  onDugongs(
    "wave: an amplitude cubed",
    "d * d * d * np.sin(578.67 * x ** 2)",
    'd = pm.Normal("d", 0, 1)',
  ),
  wave(
    "one of three whole numbers, over 100",
    "K / 100",
    'K = pm.DiscreteUniform("K", 57866, 57868)',
  ),
  wave(
    "one of three categories",
    "578.66 + 0.01 * K",
    'K = pm.Categorical("K", np.ones(3) / 3)',
  ),
  wave(
    "bounds of a truncated prior",
    "K",
    'K = pm.Truncated("K", pm.Normal.dist(0, 1000), lower=578.66, upper=578.68)',
  ),
  wave("statistics of a column", "x.mean() * x.max() / x.std()"),
  onDugongs("wave: regular factors", "c * np.sin(10 * (2 * (np.pi * (10 * x ** 2))))", amplitude),
  wave("roots that are named", "np.sqrt(2) - 2 / np.sqrt(2 * np.pi)"),
  wave("gravity, twice", "2 * 9.81 + 0.25 * 9.81"),
  wave("a root and a half", "0.5 - 0.5 * np.sqrt(5)"),
  wave("its shortest alias", "0.617"),
  wave("its alias in two digits", "0.62"),
  wave("a length that is a number", "len(np.zeros(57867)) / 100"),
  {
    name: "levels of groups: regular numbers",
    about: "groups",
    text: model([
      'g = data["g"].values',
      's = pm.HalfNormal("s", 1)',
      `u = pm.Normal("u", ${list([2, 1, 2, 2, 1, 2])}, 0.5, shape=6)`,
      'pm.Normal("y", u[g], s, observed=data["y"])',
    ]),
  },
];

/** The best of 14,460 waves whose frequency is one of 60 numbers that cost little, or arithmetic on two of them. */
export const luckiest: Forgery = wave(
  "a quarter of pi, squared",
  "(0.25 * np.pi) * (0.25 * np.pi)",
);
