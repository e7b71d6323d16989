/** Predictors that lack values: each missing one is a parameter of all programs of a space. */
import type { Column, Dataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import type { GrammarSpec } from "../../grammar/spec.ts";
import { termsIn } from "../formula/columns_in.ts";
import type { Factor, Formula, Term } from "../formula/formula.ts";
import type { SpaceName } from "../space_names.ts";
import { Columns, moments, twoDigits } from "./columns.ts";
import { literal, readOf } from "./design.ts";

const model = "with pm.Model() as model:\n";

/**
 * The grammar with missing values as parameters: a column x that lacks some is read as `whole_x`, and a
 * missing value is normal about the mean of the others, as wide as they are (Little and Rubin 2019,
 * chapter 1: valid where missingness is independent of the value).
 *
 * @param make the grammar of the data as they are.
 * @throws InputError `formula/gaps` for a term that a missing value cannot stand in.
 */
export function withGaps(
  dataset: Dataset,
  { formula, space }: { readonly formula: Formula; readonly space: SpaceName },
  make: () => GrammarSpec,
): GrammarSpec {
  const factors = termsIn(formula).flatMap(factorsOf);
  const gaps = dataset.columns.filter(({ gapsOf }) =>
    factors.some(({ factor }) => factor.column === gapsOf)
  );
  if (gaps.length === 0) return make();
  if (!ofTerms.has(space)) throw notOfTerms(space, gaps[0]);
  for (const one of factors) requireModelled(one, gaps);
  const grammar = make();
  const columns = new Columns(dataset);
  const slugs = new Map(gaps.map(({ gapsOf }) => [gapsOf!, columns.slug(gapsOf!)]));
  const read = (text: string) =>
    [...slugs].reduce((all, [name, slug]) => all.replaceAll(readOf(name), `whole_${slug}`), text);
  const lines = gaps.flatMap((gap) => linesOf(dataset, gap, slugs.get(gap.gapsOf!)!));
  const own = lines.map((line) => `    ${line}\n`).join("");
  return {
    ...grammar,
    template: read(grammar.template).replace(model, () => `${model}${own}`),
    holes: grammar.holes.map((hole) => ({
      ...hole,
      productions: hole.productions.map((one) => ({ ...one, text: read(one.text) })),
    })),
  };
}

/** Spaces whose predictors stand in a sum of terms. */
const ofTerms: ReadonlySet<SpaceName> = new Set(["regression", "survival", "ordinal"] as const);

const drop = 'write missing = "drop" in the stage of the data';

function notOfTerms(space: SpaceName, { gapsOf }: Column): Error {
  const message = `Cannot model the missing values of "${gapsOf}" in a space of kind ${space}`;
  return inputError("formula/gaps", message, undefined, drop);
}

interface UsedFactor {
  readonly source: string;
  readonly factor: Factor;
  readonly isOffset: boolean;
}

function factorsOf(term: Term): UsedFactor[] {
  const { source } = term;
  if (term.kind === "offset") return [{ source, factor: term.factor, isOffset: true }];
  const factors = term.kind === "group" ? term.slopes : term.factors;
  return factors.map((factor) => ({ source, factor, isOffset: false }));
}

function requireModelled({ source, factor, isOffset }: UsedFactor, gaps: readonly Column[]): void {
  if (!gaps.some(({ gapsOf }) => gapsOf === factor.column)) return;
  const isPlain = factor.kind === "column" && factor.by === undefined || factor.kind === "poly";
  if (isPlain && !isOffset) return;
  const message = `Cannot use ${source}: ${factor.column} lacks values, and a value that is a ` +
    "parameter stands in x, poly(x, 2), products and slopes alone";
  throw inputError("formula/gaps", message, undefined, `${drop}, or another term`);
}

/** The parameters, one more than there are gaps: rows that have a value share the first, times 0. */
function linesOf({ columns, holdout }: Dataset, gap: Column, slug: string): string[] {
  const { values } = columns.find(({ name }) => name === gap.gapsOf)!;
  const held = values.filter((_, row) => gap.values[row] === 0);
  const sigma = literal(twoDigits(moments(held).sd));
  const withheld = holdout?.columns.find(({ name }) => name === gap.name)?.values ?? [];
  const most = [...gap.values, ...withheld].reduce((a, b) => Math.max(a, b));
  const which = readOf(gap.name);
  return [
    `missing_${slug} = pm.Normal("missing_${slug}", mu=0, sigma=${sigma}, shape=${most + 1})`,
    `whole_${slug} = ${readOf(gap.gapsOf!)} + (${which} > 0) * missing_${slug}[${which}]`,
  ];
}
