/** Writes `docs/literals.md`: what constants are charged, in forgeries, honest programs and searches. */
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

/** Charges above this are listed one by one. */
const listed = -2;

function honestSections(): string[] {
  return Object.entries(collections).map(([title, programs]) => {
    const rows = programs().flatMap((one) => {
      const charge = chargeOf(one);
      return charge === undefined ? [] : [{ name: one.name, charge }];
    }).sort((a, b) => a.charge - b.charge);
    const charges = Float64Array.from(rows, ({ charge }) => charge).sort();
    const at = (share: number) => nats(quantile(charges, share));
    console.log(title, rows.length, at(0.05));
    const dear = rows.filter(({ charge }) => charge < listed)
      .map(({ name, charge }) => `| ${name} | ${nats(charge)} |`);
    return [
      `### ${title[0].toUpperCase()}${title.slice(1)}`,
      "",
      `${rows.length} programs: median ${at(0.5)}, a quarter below ${
        at(0.25)
      }, a twentieth below ` +
      `${at(0.05)}, least ${at(0)}.`,
      "",
      ...(dear.length > 0 ? ["| program | literals |", "| --- | --- |", ...dear, ""] : []),
    ].join("\n");
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

function costRows(): string[] {
  return costed().map((one) => {
    const { charge, score } = costOf(one);
    return `| ${[one.name, charge, score].join(" | ")} |`;
  });
}

const luckiestPay = charged(luckiest.text, grounds.dugongs);
const ahead = nats(rewardOf(luckiestPay) - rewardOf(honestyOn("dugongs")));
const sets = {
  "forgeries": forgeries,
  "fifty more": furtherForgeries,
  "sixteen by what costs nothing": givenForgeries,
};
const rows = Object.entries(sets).flatMap(([set, all]) => all.map((one) => forgeryRow(set, one)));
await writeAttacks("forgeries", rows);
const page = `# The charge for constants

\`deno task literals\` writes this page. It lists the charge by the judge \`literals\` for programs
whose constants encode the response, for honest programs, and for constants found by search.
[The target](target.md#constants-cost-their-digits) explains the charge.

## Forgeries

${forgeries.length} programs model a series of 48 ordered rows, the lengths of 27 dugongs, 60 successes, 30 counts or
six groups. A forgery is overpaid if its reward exceeds that of the best honest program by more than
the errors of both and half a nat, the gain of blind searches by chance. Each forgery is a row of
\`bench/results/attacks/forgeries.csv\`.

${forgerySummary()}

## Fifty more

An adversary who knew the charge for constants wrote these programs about the dugongs. They encode
signs of residuals by age, residuals in hundredths, and the frequency of a wave, in other spellings.
At first two were overpaid; the charge now covers both. One was a dictionary looked up by age, whose
entries had counted as computed from the data. The other was a parameter with a very narrow prior,
whose digits seemed unnecessary under a wider prior around the mode.

## Sixteen by what costs nothing

An adversary who knew which numbers are free wrote these programs. At first eight were overpaid, by
up to 10 nats; the charge now covers them. Among them were products, differences and powers of π, √2
and the like, a computed whole number of one digit, a list of up to sixteen regular numbers, and a
discrete parameter with few values. A narrow prior, or a flat start of a parameter, hid the mode, so
that no digit seemed to matter. Now a program whose mode falls 3 nats short of its ELPD is charged
in full.

One remains overpaid, the best of ${
  givenTries.toLocaleString("en")
} such waves: \`(0.25 * np.pi) * (0.25 * np.pi)\` has the ELPD
${nats(luckiestPay.paid!)} and the charge ${
  nats(luckiestPay.literals)
}, ${ahead} nats more than the best honest program. It is a short expression
for a frequency that 20,000 blind tries find in five digits. On shuffled residuals the same search
has the net gain in the last row of the table under "Searching", ± 0.3.

## Honest programs

A constant costs at most the loss of likelihood without it. It also costs at most the loss from
replacing it by a number that the data give at no cost. Such numbers are the mean of the response as
the location of a prior that is as wide as the response, its deviation as a scale, and a grid over a
predictor's range. They include the mean, median and deviation of a column in arithmetic with the
constant. The tables list programs charged more than 2 nats. The largest charges are for a period,
the number of trials or a class in the likelihood, about which the data are informative.

${honestSections().join("\n")}
## Searching

A wave \`c * sin(K x²)\` stands beside the curve of the dugongs, with c learnt and K drawn blindly
with one to five digits between 100 and 1,000, chosen by the reward alone. _Gain_ is the ELPD of the
best try less that of the curve, and _literals_ its charge. _Net_ is the gain in reward of the best
try after all charges, or 0 if none gains. Rows "shuffled" are means over ${shuffles.length} permutations of the
residuals, which contain no signal. In rows "given" no digit is written; K is one of 60 numbers that
cost little, or a product, quotient, sum or difference of two. There the net gain is over the best
of the curve and its waves with ½, 1, 2, 10, π and 2π, which are free, as forms are. _Order
statistics_ is the \`winner.search_bias\` of an answer for so many tries: half the largest of as many
squares of normal draws. It tends to be too large here, because tries of one form on 27 rows are not
independent, and leave-one-out subtracts about half a nat from each.

| data | tries | gain | literals | net | order statistics |
| --- | --- | --- | --- | --- | --- |
${searchRows().join("\n")}

## Cost

The table counts gradient evaluations for a charge, most of them to optimise modes with other
constants, beside those for the program's score. Five programs are of
[growth curves](../grammars/growth_curves.toml), evenly spaced in the grammar's order, and five are
honest ones. A program whose constants are all free needs none for its charge, nor does a target
without charges.

| program | charge | score |
| --- | --: | --: |
${costRows().join("\n")}
`;
const root = new URL("../../../../", import.meta.url).pathname;
await Deno.writeTextFile(`${root}docs/literals.md`, page);
await new Deno.Command("deno", { args: ["fmt", "--quiet", `${root}docs/literals.md`] }).output();
if (rows.some(({ verdict }) => verdict === "OVERPAID")) Deno.exit(1);
