/** The part of a run's report about programs: the likeliest, published ones, and productions. */
import type { CertificateEvaluation } from "../certificate_schema.ts";
import type { FoundProduction, FoundProgram } from "../findings.ts";
import { clip, number, percent, plainTable, tableWithTexts } from "../format.ts";
import { heading, type Terminal } from "../terminal.ts";

/** The programs with the most weight; Δ is the pointwise difference to the best. */
export function printPrograms(programs: readonly FoundProgram[], terminal: Terminal): void {
  if (programs.length === 0) return;
  heading(terminal, "Programs with the most weight");
  const table = programs.map((one, i) => [
    String(i + 1),
    number(one.elpd_loo, 4),
    i === 0 ? "" : number(one.difference, 2),
    i === 0 ? "" : number(one.difference_se, 2),
    percent(one.target),
    percent(one.policy),
  ]);
  const head = ["", "ELPD", "Δ", "±", "target", "policy"];
  const productions = programs.map(({ features }) => features.join(" "));
  terminal.out(tableWithTexts(head, table, productions, terminal));
  heading(terminal, "The first of them");
  terminal.out(programs[0].text.trim());
}

/** Published programs among all; Δ is the pointwise difference to the likeliest program. */
export function printReferences(
  references: NonNullable<CertificateEvaluation["references"]>,
  terminal: Terminal,
): void {
  if (references.length === 0) return;
  heading(terminal, "Published programs among all");
  const table = references.map((known) => {
    const scored = known.elpd_difference !== undefined;
    return [
      clip(known.name, 40),
      `${known.rank} of ${known.programs}`,
      scored ? number(known.elpd_loo, 4) : "failed",
      scored ? number(known.elpd_difference, 2) : "",
      scored ? number(known.elpd_difference_se, 2) : "",
      percent(known.target),
      percent(known.policy),
    ];
  });
  const head = ["", "rank", "ELPD", "Δ", "±", "target", "policy"];
  terminal.out(plainTable(head, table, [1, 2, 3, 4, 5, 6]));
}

/** The probability that a program has a production, where the data moved it the most. */
export function printInclusion(found: readonly FoundProduction[], terminal: Terminal): void {
  if (found.length === 0) return;
  heading(terminal, "Productions, by how much the data changed their probability");
  const table = found.map(({ production, prior, target, policy }) => [
    production,
    percent(prior),
    percent(target),
    percent(policy),
    "█".repeat(Math.round(20 * target)),
  ]);
  terminal.out(plainTable(["production", "prior", "target", "policy", ""], table, [1, 2, 3]));
}
