/** Tables of programs and of their productions; each is empty without rows. */
import type { FoundProduction, FoundProgram } from "../findings.ts";
import { percent } from "../format.ts";
import { plain, short, table } from "./table.ts";

/** Name of cross-validation over these units. */
export function elpdName(unit: string | undefined): string {
  return unit === "future" ? "ELPD-LFO" : "ELPD-LOO";
}

/** The programs of largest target. */
export function programTable(programs: readonly FoundProgram[]): string {
  if (programs.length === 0) return "";
  const body = programs.map((one, i) => [
    plain(one.features.join(" ")),
    one.elpd_loo.toFixed(2),
    i === 0 || one.difference === null
      ? ""
      : `${short(one.difference)} ± ${short(one.difference_se ?? 0)}`,
    percent(one.target),
    percent(one.policy),
  ]);
  return table(
    ["", elpdName(programs[0].unit), "difference to the first", "target", "policy"],
    body,
  );
}

/** The probability that a program has a production. */
export function productionTable(productions: readonly FoundProduction[]): string {
  if (productions.length === 0) return "";
  const body = productions.map(({ production, prior, target, policy }) => [
    plain(production),
    percent(prior),
    percent(target),
    percent(policy),
  ]);
  return table(["production", "prior", "target", "policy"], body);
}
