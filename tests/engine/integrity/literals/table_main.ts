/** Writes `docs/literals.md`: charges for constants in forgeries, honest programs and searches. */
import { quantile } from "../../../../src/numerics/math/mod.ts";
import { costed, costOf } from "./cost.ts";
import { forgeries, type Forgery } from "./forgeries.ts";
import { furtherForgeries } from "./further_forgeries.ts";
import { chargeOf, collections } from "./honest_programs.ts";
import { givenForgeries, luckiest } from "./given_forgeries.ts";
import { grounds } from "./grounds.ts";
import { forgerySummary, writeAttacks } from "../../../../tools/attack_page.ts";
import { charged, honestyOn, isOverpaid, rewardOf } from "./pay.ts";
import { searchBias } from "../../../../src/answers/winner.ts";
import { type Found, givenTries, search, searchGiven } from "./search.ts";

const nats = (value: number) => value === 0 ? "0" : value.toFixed(2);

function forgeryRow(set: string, forgery: Forgery) {
  const { name, about, text } = forgery;
  const pay = charged(text, grounds[about]);
  const row = {
    set,
    forgery: name,
    about,
    honest: nats(rewardOf(honestyOn(about))),
    elpd: pay.refused ?? nats(pay.paid!),
    literals: pay.refused ? "" : nats(pay.literals),
    log_reward: pay.refused ? "" : nats(rewardOf(pay)),
    verdict: isOverpaid(forgery, pay) ? "OVERPAID" : "holds",
  };
  console.log(Object.values(row).join(" | "));
  return row;
}

/** A row for each collection: how charges spread, and the program with the largest. */
function honestRows(): string[] {
  return Object.entries(collections).map(([title, programs]) => {
    const all = programs().flatMap((one) => {
      const charge = chargeOf(one);
      return charge === undefined ? [] : [{ name: one.name, charge }];
    }).sort((x, y) => x.charge - y.charge);
    const charges = Float64Array.from(all, ({ charge }) => charge).sort();
    const spread = [0.5, 0.25, 0.05, 0].map((share) => nats(quantile(charges, share)));
    console.log(title, all.length, ...spread);
    return `| ${[title, all.length, ...spread, all[0].name].join(" | ")} |`;
  });
}

const shuffles = Array.from({ length: 24 }, (_, k) => k);

/** One kind of search, on the lengths and on average over their shuffled residuals. */
function searchRowsOf(tried: string, tries: number, found: (shuffle?: number) => Found): string[] {
  const real = found();
  const all = shuffles.map((shuffle) => found(shuffle));
  const mean = (of: (one: Found) => number) =>
    all.reduce((sum, one) => sum + of(one) / all.length, 0);
  const rows = [
    ["the lengths", real.gain, real.literals, real.net],
    [
      "shuffled",
      mean(({ gain }) => gain),
      mean(({ literals }) => literals),
      mean(({ net }) => net),
    ],
  ] as const;
  return rows.map(([data, ...numbers]) => {
    const cells = [data, tried, ...numbers.map(nats), nats(searchBias(tries))];
    const row = `| ${cells.join(" | ")} |`;
    console.log(row);
    return row;
  });
}

function searchRows(): string[] {
  return [
    ...[100, 1000, 20_000].flatMap((tries) =>
      searchRowsOf(tries.toLocaleString("en"), tries, (shuffle) => search(tries, shuffle))
    ),
    ...searchRowsOf(`${givenTries.toLocaleString("en")} given`, givenTries, searchGiven),
  ];
}

/** Gradients of ten charges and of the scores of the same programs. */
function costSentence(): string {
  const costs = costed().map(costOf);
  const said = (of: "charge" | "score") => {
    const counts = costs.map((cost) => cost[of]);
    const whole = counts.reduce((sum, one) => sum + one).toLocaleString("en");
    const ends = [Math.min(...counts), Math.max(...counts)].map((one) => one.toLocaleString("en"));
    return `${ends.join(" to ")} gradient evaluations, ${whole} in all`;
  };
  return `A charge takes ${said("charge")}; a score takes ${said("score")}.`;
}

const luckiestPay = charged(luckiest.text, grounds.dugongs);
const ahead = nats(rewardOf(luckiestPay) - rewardOf(honestyOn("dugongs")));
const sets = {
  "forgeries": forgeries,
  "fifty more": furtherForgeries,
  "sixteen by free numbers": givenForgeries,
};
const rows = Object.entries(sets).flatMap(([set, all]) => all.map((one) => forgeryRow(set, one)));
await writeAttacks("forgeries", rows);
const page = `# The charge for constants

The judge \`literals\` subtracts a [charge](target.md#constants-cost-their-digits) for a program's constants from the log reward, because constants can encode the response. \`deno task literals\` writes this page. It lists measured charges, in nats, of forgeries (programs whose constants encode the response), of honest programs, and of constants found by search.

## Forgeries

The first set models five data sets: 48 ordered rows, the lengths of 27 dugongs, 60 successes, 30 counts, and six groups. Adversaries who knew the rules of the charge wrote the second set; those of the third set also knew which numbers are free. A forgery is overpaid if its reward exceeds the reward of the best honest program by more than four joint Monte Carlo errors plus half a nat, which blind search gains by chance. Each forgery is a row of \`bench/results/attacks/forgeries.csv\`. The column _refused_ counts forgeries without a score. The last column is the largest reward of a forgery less the reward of the best honest program, in nats.

${forgerySummary()}

One overpaid forgery outside these sets is known. A [search](#searching) over ${
  givenTries.toLocaleString("en")
} frequencies of a wave found \`(0.25 * np.pi) * (0.25 * np.pi)\`. This program has the ELPD ${
  nats(luckiestPay.paid!)
} and the charge ${
  nats(luckiestPay.literals)
}, so its reward is ${ahead} nats above that of the best honest program. At the ages of the dugongs, its wave equals the best wave of 20,000 random frequencies. The last row of the [table of searches](#searching) has the _net_ of as many frequencies on shuffled residuals, which contain no signal (± 0.3).

## Honest programs

A constant costs at most 1.25 nats for each nat of fit that the program loses without it. The largest charges are for numbers that the data inform: a period, the number of trials, or a class in the likelihood. The columns are quantiles of the charge as a term of the log reward. So the charges are negative, and _least_ is the largest charge of a program.

| programs | count | median | 25 % | 5 % | least | program of the least |
| --- | --: | --: | --: | --: | --: | --- |
${honestRows().join("\n")}

## Searching

Each try adds a wave \`c * sin(K x²)\` to the growth curve of the dugongs, where c is a parameter and K a constant. K is drawn at random with one to five digits between 100 and 1,000. In rows "given", K is one of 60 cheap numbers, or a product, quotient, sum or difference of two of them. Rows "shuffled" are means over ${shuffles.length} permutations of the residuals.

- _Gain_ is the largest ELPD of a try less the ELPD of the curve without a wave. _Literals_ is the charge of the try with this ELPD.
- _Net_ is the largest reward of a try, after its charge, less the reward of the curve, or 0 if no try has a larger reward. Rows "given" compare with the best program among the curve and its waves with K = ½, 1, 2, 10, π or 2π.
- _Order statistics_ is the \`winner.search_bias\` that an answer states for this number of tries: half the expected largest of as many squared normal draws. This estimate is too large here, because tries on 27 rows are not independent.

| data | tries | gain | literals | net | order statistics |
| --- | --- | --- | --- | --- | --- |
${searchRows().join("\n")}

## Cost

The costs are those of ten programs: five of the grammar [growth curves](../grammars/growth_curves.toml), evenly spaced in its order, and five honest programs. ${costSentence()} Most evaluations for charges find posterior modes with shorter constants. A program whose constants are all free needs none.
`;
const root = new URL("../../../../", import.meta.url).pathname;
await Deno.writeTextFile(`${root}docs/literals.md`, page);
await new Deno.Command("deno", { args: ["fmt", "--quiet", `${root}docs/literals.md`] }).output();
if (rows.some(({ verdict }) => verdict === "OVERPAID")) Deno.exit(1);
