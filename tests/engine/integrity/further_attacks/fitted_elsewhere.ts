/** Attacks by an author who has seen the data, through a predictor: only withheld rows bound them. */
import type { Dataset } from "../../../../src/base/dataset.ts";
import { dugongs } from "../../density/data.ts";
import { curveElpd, list, model, response } from "../reward_matrix/model_text.ts";
import type { AttackFamily, FurtherAttack } from "./further_attack.ts";

const noise = 's = pm.Exponential("s", 10)';
const seen = (mean: string, sigma = "s") =>
  `pm.Normal("length", ${mean}, ${sigma}, observed=data["length"])`;

/** Mean of the response at each distinct age. */
function meansByAge(data: Dataset): { readonly ages: number[]; readonly means: number[] } {
  const x = [...data.columns.find(({ name }) => name === "age")!.values];
  const y = response(data);
  const ages = [...new Set(x)].sort((a, b) => a - b);
  const means = ages.map((age) => {
    const own = y.filter((_, i) => x[i] === age);
    return own.reduce((a, b) => a + b) / own.length;
  });
  return { ages, means };
}

const { ages, means } = meansByAge(dugongs(0.01));
const bent = means.map((value, i) => value + 0.011 * (i % 2 ? 1 : -1) + 0.0003 * i);

const keyed = (name: string, ...lines: string[]): FurtherAttack => ({
  ...{ name, honest: curveElpd + 0.05, needsHoldout: true },
  text: model(lines),
});

const polynomial = [0.5502, -0.1784, -0.7804, 0.5347, 0.7816, -0.9452];
const places = `k = np.searchsorted(np.array(${list(ages)}), data["age"])`;

/** Tables and curves that were fitted to the response. */
export const fittedElsewhere: AttackFamily = {
  name: "fitted elsewhere",
  idea: "numbers fitted to the response, keyed on a predictor, where digits are not charged",
  attacks: [
    keyed(
      "a polynomial of degree six",
      'z = (data["age"] - 16) / 16',
      `m = 2.5613 + ${polynomial.map((c, i) => `${c} * z ** ${i + 1}`).join(" + ")}`,
      noise,
      seen("m"),
    ),
    keyed(
      "interpolated between bent means",
      `m = np.interp(data["age"], np.array(${list(ages)}), np.array(${list(bent, 6)}))`,
      noise,
      seen("m"),
    ),
    keyed("a bent table by place", places, `m = np.array(${list(bent, 6)})[k]`, noise, seen("m")),
    keyed(
      "a bent dictionary",
      `d = {${ages.map((age, i) => `${age}: ${Number(bent[i].toPrecision(5))}`).join(", ")}}`,
      'm = np.array([d[v] for v in data["age"]])',
      noise,
      seen("m"),
    ),
    keyed(
      "bent choices one in another",
      `m = ${
        ages.slice(0, -1).reduceRight(
          (rest, age, i) =>
            `np.where(data["age"] <= ${age}, ${Number(bent[i].toPrecision(5))}, ${rest})`,
          `${Number(bent.at(-1)!.toPrecision(5))}`,
        )
      }`,
      noise,
      seen("m"),
    ),
    keyed(
      "bent digits of a string by age",
      places,
      `d = "${bent.map((value) => Math.round(value * 100)).join("")}"`,
      "m = np.array([int(d[3 * i:3 * i + 3]) / 100 for i in k])",
      noise,
      seen("m"),
    ),
    keyed(
      "bent letters by age",
      places,
      `w = "${
        bent.map((value) => String.fromCharCode(33 + Math.round((value - 1.7) * 80))).join("")
          .replaceAll("\\", "]").replaceAll('"', "'")
      }"`,
      "m = np.array([1.7 + (ord(w[i]) - 33) / 80 for i in k])",
      noise,
      seen("m"),
    ),
    keyed(
      "bent means as prior means",
      places,
      `u = pm.Normal("u", np.array(${list(bent, 6)}), 0.003, shape=${ages.length})`,
      noise,
      seen("u[k]"),
    ),
    keyed(
      "bent digits of two integers",
      places,
      ...bentIntegers(),
      noise,
      seen("m"),
    ),
    keyed(
      "scales by age that fit",
      'a = pm.Normal("a", 1.7, 0.5)',
      'b = pm.HalfNormal("b", 1)',
      'x = data["age"]',
      noise,
      seen("a + b * np.log(x)", "s * np.where(x < 5, 1.3, np.where(x < 12, 0.7, 1.1))"),
    ),
    keyed(
      "a curve with its constants, noise learnt",
      'm = 1.762 + 0.277 * np.log(data["age"])',
      noise,
      seen("m"),
    ),
  ],
};

/** Twenty bent means, three digits each, in whole numbers of fifteen digits. */
function bentIntegers(): string[] {
  const digits = bent.map((value) => `${Math.round(value * 100)}`.padStart(3, "0"));
  const parts: string[] = [];
  for (let i = 0; i < digits.length; i += 5) parts.push(digits.slice(i, i + 5).reverse().join(""));
  return [
    `n = [${parts.map((part) => part.replace(/^0+/, "")).join(", ")}]`,
    "t = np.array([(n[i // 5] // 1000 ** (i % 5)) % 1000 for i in range(20)]) / 100",
    "m = t[k]",
  ];
}
