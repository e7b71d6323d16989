/** The tables of covered effects and of families that are found. */
import type { EffectRecord } from "./effects.ts";
import type { FoundRecord } from "./found.ts";
import { simulatedFamilies } from "./simulated.ts";

/** Standard deviations of a normal distribution that hold 90 %. */
const half = 1.6449;

/** Effects of each family: how many of the 90 % intervals hold the truth, and the mean deviation in their errors. */
export function coverageTable(records: readonly EffectRecord[]): string {
  const rows = Object.entries(simulatedFamilies).map(([family, { space, line: [, truth] }]) => {
    const own = records.filter((one) => one.family === family);
    const drawn = own.filter(({ mean }) => mean !== null);
    const away = drawn.map(({ mean, sd }) => (mean! - truth) / sd!);
    const name = family.replace(/^survival_/, "");
    const covered = away.filter((one) => Math.abs(one) <= half).length;
    const mean = away.reduce((a, b) => a + b, 0) / away.length;
    const { length } = drawn;
    return [
      space,
      `\`${name}\``,
      `${length} of ${own.length}`,
      shareOf(covered, length),
      mean.toFixed(2),
    ];
  });
  const all = records.filter(({ mean }) => mean !== null);
  const covered =
    all.filter(({ family, mean, sd }) =>
      Math.abs((mean! - simulatedFamilies[family].line[1]) / sd!) <= half
    ).length;
  const together = [
    "all",
    "",
    `${all.length} of ${records.length}`,
    shareOf(covered, all.length),
    "",
  ];
  return tableOf(
    "space | family | sets | 90 % intervals that hold the effect | mean deviation, errors",
    [
      ...rows,
      together,
    ],
  );
}

/** Nats between families, by maximum likelihood, from which they are found and below which data cannot tell. */
const [apart, alike] = [6, 1];
/** Nats of ELPD below which an answer says that the data cannot tell. */
const small = 4;

/** Of each pair: sets that maximum likelihood decides, and those that it does not. */
export function foundTable(records: readonly FoundRecord[]): string {
  const pairs = [...new Set(records.map(({ pair }) => pair))];
  const rowOf = (name: string, own: readonly FoundRecord[]) => {
    const decided = own.filter(({ nats }) => Math.abs(nats) >= apart);
    const open = own.filter(({ nats }) => Math.abs(nats) < alike);
    const same = decided.filter(({ nats, elpd }) => elpd !== null && nats * elpd > 0).length;
    const untold = open.filter(({ elpd }) => elpd !== null && Math.abs(elpd) < small).length;
    const off = own.flatMap(({ nats, elpd }) => elpd === null ? [] : [Math.abs(elpd - nats)])
      .sort((a, b) => a - b);
    return [
      name,
      String(own.length),
      shareOf(same, decided.length),
      shareOf(untold, open.length),
      off[Math.floor(off.length / 2)].toFixed(2),
    ];
  };
  return tableOf(
    "families | sets | found where 6 nats or more part them | cannot tell where less than 1 does | median distance, nats",
    [
      ...pairs.map((pair) => rowOf(pair, records.filter((one) => one.pair === pair))),
      rowOf("all", records),
    ],
  );
}

/** `38 of 40: 95 ± 3 %`, with the standard error of a share that is not at an end. */
function shareOf(count: number, of: number): string {
  if (of === 0) return "–";
  const share = (count + 1) / (of + 2);
  const error = Math.sqrt(share * (1 - share) / of);
  return `${count} of ${of}: ${(100 * count / of).toFixed(0)} ± ${(100 * error).toFixed(0)} %`;
}

function tableOf(head: string, rows: readonly (readonly string[])[]): string {
  const rule = head.split("|").map(() => "---").join(" | ");
  return [head, rule, ...rows.map((row) => row.join(" | "))].map((row) => `| ${row} |`).join("\n");
}
