/** Writes `docs/literals.md`: what constants are charged, in forgeries, honest programs and searches. */
import { quantile } from "../../../../src/numerics/math/mod.ts";
import { forgeries, type Forgery } from "./forgeries.ts";
import { furtherForgeries } from "./further_forgeries.ts";
import { chargeOf, collections } from "./honest_programs.ts";
import { grounds } from "./grounds.ts";
import { charged, honestyOn, isOverpaid, rewardOf } from "./pay.ts";
import { searchBias } from "../../../../src/answers/winner.ts";
import { search } from "./search.ts";

const nats = (value: number) => value === 0 ? "0" : value.toFixed(2);

function forgeryRow(forgery: Forgery): string {
  const { name, about, text } = forgery;
  const pay = charged(text, grounds[about]);
  const honest = nats(rewardOf(honestyOn(about)));
  const verdict = isOverpaid(forgery, pay) ? "OVERPAID" : "holds";
  const cells = pay.refused
    ? [`\`${pay.refused}\``, "–", "–"]
    : [nats(pay.paid!), nats(pay.literals), nats(rewardOf(pay))];
  const row = `| ${[name, about, honest, ...cells, verdict].join(" | ")} |`;
  console.log(row);
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

function searchRows(): string[] {
  return [100, 1000, 20_000].flatMap((tries) => {
    const real = search(tries);
    const found = shuffles.map((shuffle) => search(tries, shuffle));
    const mean = (of: (one: typeof real) => number) =>
      found.reduce((sum, one) => sum + of(one) / found.length, 0);
    const rows = [
      ["the lengths", real.gain, real.literals, real.net],
      [
        "shuffled",
        mean(({ gain }) => gain),
        mean(({ literals }) => literals),
        mean((one) => one.net),
      ],
    ] as const;
    return rows.map(([data, ...numbers]) => {
      const row = `| ${
        [data, tries.toLocaleString("en"), ...numbers.map(nats), nats(searchBias(tries))].join(
          " | ",
        )
      } |`;
      console.log(row);
      return row;
    });
  });
}

const [rows, furtherRows] = [forgeries, furtherForgeries].map((all) => all.map(forgeryRow));
const page = `# The charge for constants

Written by \`deno task literals\`: programs whose constants say what the response is, honest programs,
and constants that were found by trying, each with its charge by the judge \`literals\`. How a charge
is made is in [the target](target.md#constants-cost-their-digits).

## Forgeries

${forgeries.length} programs about a series of 48 rows that have an order, the lengths of 27 dugongs, 60
successes, 30 counts and six groups. _Honest_ is the log reward of the best honest program; the last
column says whether a forgery earns more than that by more than the errors of both and half a nat,
which is what luck leaves to blind searches.

| forgery | about | honest | ELPD | literals | log reward | |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join("\n")}

## Fifty more

By an enemy who has read how constants are charged, about the dugongs: signs of residuals by age,
residuals in hundredths, and the frequency of a wave, in other spellings. When they were first tried
two were paid too much, and are mended: a dictionary looked up by age, whose entries had counted as
made of the data, and a parameter with a needle for a prior, whose digits a wider prior around the
mode seemed not to need. A third, a wave whose frequency is a deterministic of a narrow prior, still
earns 0.4 nats more than honesty, within what luck leaves.

| forgery | about | honest | ELPD | literals | log reward | |
| --- | --- | --- | --- | --- | --- | --- |
${furtherRows.join("\n")}

## Honest programs

Charges where an author is honest: constants of priors cost as much as the likelihood misses them.
Programs charged more than 2 nats are listed; they have a threshold, a knot or a formula with several
numbers in it.

${honestSections().join("\n")}
## Searching

A wave \`c * sin(K x²)\` beside the curve of the dugongs, c learnt, K drawn blindly with one to five
digits between 100 and 1,000 and chosen by the reward alone. _Gain_ is what the try with the largest
ELPD earns more than the curve, _literals_ its charge, _net_ what the best try earns more once all are
charged, 0 where none does. Shuffled: means over ${shuffles.length} orders of the residuals, in which
nothing is to be found. _Order statistics_ is what an answer says of so many tries
(\`winner.search_bias\`): half the largest of as many squares of normal draws. It is an upper guess
here, for tries of one form on 27 rows are not independent, and leave-one-out takes about half a nat
from each.

| data | tries | gain | literals | net | order statistics |
| --- | --- | --- | --- | --- | --- |
${searchRows().join("\n")}
`;
const root = new URL("../../../../", import.meta.url).pathname;
await Deno.writeTextFile(`${root}docs/literals.md`, page);
await new Deno.Command("deno", { args: ["fmt", "--quiet", `${root}docs/literals.md`] }).output();
if (page.includes("OVERPAID")) Deno.exit(1);
