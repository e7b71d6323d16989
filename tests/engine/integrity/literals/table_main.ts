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

\`deno task literals\` writes this page. It lists [charges](target.md#constants-cost-their-digits) of the judge \`literals\`, in nats, for forgeries (programs whose constants encode the response), honest programs, and constants found by search.

## Forgeries

Programs of the first set model 48 ordered rows, the lengths of 27 dugongs, 60 successes, 30 counts or six groups. An adversary who knew the rules of the charge wrote the second set, for the dugongs; one who knew which numbers are free wrote the third. A forgery is overpaid if its reward exceeds that of the best honest program by more than four joint Monte Carlo errors plus half a nat, which blind search gains by chance.
Each forgery is a row of \`bench/results/attacks/forgeries.csv\`.  The last column is the largest reward of a forgery less that of the best honest program, in nats.

${forgerySummary()}

One overpaid forgery outside these sets is known, the best of ${
  givenTries.toLocaleString("en")
} waves: \`(0.25 * np.pi) * (0.25 * np.pi)\` has the ELPD
${nats(luckiestPay.paid!)} and the charge ${
  nats(luckiestPay.literals)
}, ${ahead} nats above the best honest program in reward. The short expression equals the frequency that 20,000 blind tries find as a number of five digits. The same search on shuffled residuals has the net gain in the last row of [Searching](#searching) (± 0.3).

## Honest programs

A constant costs at most the log likelihood lost without it, or with a [number that the data give](target.md#constants-cost-their-digits). The largest charges are for numbers that the data inform: a period, the number of trials or a class in the likelihood. Columns are quantiles of the charge, a negative term of the log reward, so _least_ is the largest charge.

| programs | count | median | 25 % | 5 % | least | program of the least |
| --- | --: | --: | --: | --: | --: | --- |
${honestRows().join("\n")}

## Searching

A wave \`c * sin(K x²)\` is added to the curve of the dugongs. Here c is a parameter, and K is drawn at random with one to five digits between 100 and 1,000. The try with the best reward is chosen. In rows "given", K is one of 60 cheap numbers, or a product, quotient, sum or difference of two. Rows
"shuffled" are means over ${shuffles.length} permutations of the residuals, which contain no signal.

- _Gain_ is the ELPD of the best try less that of the curve, and _literals_ the charge of that try.
- _Net_ is the reward of the best try, after charges, less that of the curve, or 0 if none gains. In rows "given" the best of the curve and its waves with the free numbers ½, 1, 2, 10, π and 2π replaces the curve.
- _Order statistics_ is the \`winner.search_bias\` that an answer states for this number of tries: half the expected largest of as many squared normal draws. This bias is too large here, because tries on 27 rows are not independent.

| data | tries | gain | literals | net | order statistics |
| --- | --- | --- | --- | --- | --- |
${searchRows().join("\n")}

## Cost

Costs are those of five [growth curves](../grammars/growth_curves.toml), evenly spaced in the grammar's order, and five honest programs. ${costSentence()} Most evaluations for charges find modes with shorter constants. A program whose constants are all free needs no evaluations for its charge.
`;
const root = new URL("../../../../", import.meta.url).pathname;
await Deno.writeTextFile(`${root}docs/literals.md`, page);
await new Deno.Command("deno", { args: ["fmt", "--quiet", `${root}docs/literals.md`] }).output();
if (rows.some(({ verdict }) => verdict === "OVERPAID")) Deno.exit(1);
