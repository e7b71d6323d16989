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

Written by \`deno task literals\`: programs whose constants say what the response is, honest programs,
and constants that were found by trying, each with its charge by the judge \`literals\`. How a charge
is made is in [the target](target.md#constants-cost-their-digits).

## Forgeries

${forgeries.length} programs about a series of 48 rows that have an order, the lengths of 27 dugongs, 60
successes, 30 counts and six groups. A forgery is overpaid if it earns more than the best honest program
by more than the errors of both and half a nat, which is what luck leaves to blind searches. Each is a
row of \`bench/results/attacks/forgeries.csv\`.

${forgerySummary()}

## Fifty more

By an enemy who has read how constants are charged, about the dugongs: signs of residuals by age,
residuals in hundredths, and the frequency of a wave, in other spellings. When they were first tried
two were paid too much, and are mended: a dictionary looked up by age, whose entries had counted as
made of the data, and a parameter with a needle for a prior, whose digits a wider prior around the
mode seemed not to need.

## Sixteen by what costs nothing

By an enemy who has read which numbers cost nothing. When they were first tried eight were paid too
much, by up to 10 nats, and are mended: products, differences and powers of π, √2 and the like, which
cost a step and nothing for the choice; a computed whole number of one digit; a list of up to sixteen
regular numbers; a discrete parameter with few values; a parameter whose needle, or whose flat start,
hid the mode, so that no digit seemed to matter. A program whose mode falls 3 nats short of its ELPD
is charged as it stands.

One is left, the best of ${
  givenTries.toLocaleString("en")
} such waves: \`(0.25 * np.pi) * (0.25 * np.pi)\`
has the ELPD ${nats(luckiestPay.paid!)} for ${
  nats(luckiestPay.literals)
}, ${ahead} nats more than honesty. It
is a short name for a frequency that 20,000 blind tries find in five digits; on shuffled residuals the
same search keeps what the last row of this page says, ± 0.3.

## Honest programs

Charges where an author is honest: a constant costs no more than the likelihood misses it, and no more
than a number that the data give for nothing would lose in its place: the mean of the response as the
location of a prior that is as wide as the response, its deviation as a scale, the mean, middle and
deviation of a column that a number meets, a grid over a predictor's range. Programs charged more than
2 nats are listed. The dearest have a period, the number of trials or a class in the likelihood, which
the data do tell.

${honestSections().join("\n")}
## Searching

A wave \`c * sin(K x²)\` beside the curve of the dugongs, c learnt, K drawn blindly with one to five
digits between 100 and 1,000 and chosen by the reward alone. _Gain_ is what the try with the largest
ELPD earns more than the curve, _literals_ its charge, _net_ what the best try earns more once all are
charged, 0 where none does. Shuffled: means over ${shuffles.length} orders of the residuals, in which
nothing is to be found. _Given_: no digit is written; K is one of 60 numbers that cost little, or a product,
quotient, sum or difference of two, and the net gain is over the best of the curve and its waves with
½, 1, 2, 10, π and 2π, which cost nothing, as forms do. _Order statistics_ is what an answer says of so many tries
(\`winner.search_bias\`): half the largest of as many squares of normal draws. It is an upper guess
here, for tries of one form on 27 rows are not independent, and leave-one-out takes about half a nat
from each.

| data | tries | gain | literals | net | order statistics |
| --- | --- | --- | --- | --- | --- |
${searchRows().join("\n")}

## Cost

Gradients of a charge, most of them of climbs to modes with other constants, beside those of the
program's score: five programs of [growth curves](../grammars/growth_curves.toml), evenly by the
grammar's order, and five honest ones. A program whose constants all cost nothing takes none, and a
target that charges nothing takes none of any program.

| program | charge | score |
| --- | --: | --: |
${costRows().join("\n")}
`;
const root = new URL("../../../../", import.meta.url).pathname;
await Deno.writeTextFile(`${root}docs/literals.md`, page);
await new Deno.Command("deno", { args: ["fmt", "--quiet", `${root}docs/literals.md`] }).output();
if (rows.some(({ verdict }) => verdict === "OVERPAID")) Deno.exit(1);
