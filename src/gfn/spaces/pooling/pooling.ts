/** A space of poolings as a grammar: whether groups differ not at all, somewhat, or entirely. */
import type { Dataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import type { GrammarSpec } from "../../grammar/spec.ts";
import type { Formula } from "../formula/formula.ts";
import {
  checkResponse,
  hidesEffectsOfRows,
  linkOf,
  predictorScale,
  statementsOf,
} from "../regression/families.ts";
import type { FamilyName } from "../regression/family_names.ts";
import { checkErrors, knownErrorStatements } from "../regression/known_errors.ts";
import { Columns, moments, twoDigits } from "../writing/columns.ts";
import { literal, readOf } from "../writing/design.ts";
import type { SpacePriors } from "../writing/priors.ts";
import { type Choice, SpaceWriter } from "../writing/space_writer.ts";

/** Options of a space of poolings. */
interface PoolingSpace {
  /** `y ~ (1 | group)`; `y | error(se) ~ (1 | group)` where standard errors are known. */
  readonly formula: Formula;
  readonly families: readonly FamilyName[];
  readonly priors?: SpacePriors;
}

/**
 * The grammar of a space of poolings (Gelman and Hill 2007, ch. 12). Centred and non-centred effects
 * are one model: the question `pooling` has the answers `complete`, `partial` and `none`.
 *
 * @throws InputError where the formula is no `y ~ (1 | group)`, there is one group, or an error is not
 * above 0.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { parseFormula } from "../formula/parse.ts";
 * import { poolingGrammar } from "./pooling.ts";
 * const group = { name: "school", role: "group", type: "category", categories: ["a", "b"] } as const;
 * const data = makeDataset("schools", [
 *   { name: "y", role: "response", type: "real", values: Float64Array.of(1, 2, 5, 4) },
 *   { ...group, values: Float64Array.of(0, 0, 1, 1) },
 * ]);
 * const formula = parseFormula("y ~ (1 | school)");
 * const grammar = poolingGrammar(data, { formula, families: ["normal"] });
 * assert.deepEqual(grammar.holes.map(({ question }) => question), ["pooling", "family"]);
 * ```
 */
export function poolingGrammar(dataset: Dataset, space: PoolingSpace): GrammarSpec {
  const { formula, families, priors } = space;
  const columns = new Columns(dataset);
  const response = columns.response(formula.response.column);
  const known = formula.response.error;
  const hasNoise = known === undefined && families.some(hidesEffectsOfRows);
  const { name, categories } = columns.group(groupOf(formula), hasNoise);
  const errors = known === undefined ? undefined : columns.numbers(known).values;
  if (errors) checkErrors(known!, errors, families);
  const link = linkOf(families, formula.response);
  for (const family of families) checkResponse(family, response, response.values);
  const { trials } = formula.response;
  const counted = trials === undefined ? undefined : columns.numbers(trials).values;
  const { mean, scale } = predictorScale(link, response.values, { trials: counted });
  const writer = new SpaceWriter("pooling", priors);
  writer.spaceWidth();
  writer.line(`group = ${readOf(name)}`);
  const width = writer.widthOf("pooling");
  const numbers = {
    centre: literal(twoDigits(mean)),
    wide: `${width}${literal(twoDigits(2.5 * scale))}`,
    spread: `${width}${literal(twoDigits(scale))}`,
    groups: categories.length,
  };
  writer.ask("pooling", poolings(numbers));
  writer.effect(`spread of ${name}`, "spread");
  writer.effect("mean", "mean");
  const called = writer.nameOfObserved(columns.slug(response.name));
  const own = {
    response: formula.response,
    called,
    observed: readOf(response.name),
    unit: "",
    sd: moments(response.values).sd,
    varying: new Set<string>(),
    width: writer.widthOf("family"),
  };
  const lines = (family: FamilyName) => {
    if (known === undefined) return statementsOf(family, own);
    return knownErrorStatements(family, {
      called,
      observed: own.observed,
      scale: readOf(known),
      width: own.width,
    });
  };
  writer.ask("family", families.map((answer) => ({ answer, lines: lines(answer) })));
  return writer.grammar(["import numpy as np", "import pymc as pm"]);
}

interface PoolingNumbers {
  readonly centre: string;
  readonly wide: string;
  readonly spread: string;
  readonly groups: number;
}

function poolings({ centre, wide, spread, groups }: PoolingNumbers): Choice[] {
  const mean = `mean = pm.Normal("mean", mu=${centre}, sigma=${wide})`;
  const between = `spread = pm.HalfNormal("spread", sigma=${spread})`;
  const third = 1 / 3;
  const partial = { answer: "partial", class: "partly_pooled", prior: third / 2 };
  return [
    { answer: "complete", prior: third, lines: [mean, "eta = mean"] },
    {
      ...partial,
      name: "centred",
      lines: [
        mean,
        between,
        `effect = pm.Normal("effect", mu=mean, sigma=spread, shape=${groups})`,
        "eta = effect[group]",
      ],
    },
    {
      ...partial,
      name: "non_centred",
      lines: [
        mean,
        between,
        `z = pm.Normal("z", mu=0, sigma=1, shape=${groups})`,
        "eta = mean + spread * z[group]",
      ],
    },
    {
      answer: "none",
      prior: third,
      lines: [
        `effect = pm.Normal("effect", mu=${centre}, sigma=${wide}, shape=${groups})`,
        "eta = effect[group]",
      ],
    },
  ];
}

function groupOf({ parts, intercept, others, response }: Formula): string {
  const [part, ...more] = parts;
  const [term] = part?.alternatives[0] ?? [];
  const isPlain = more.length === 0 && part?.asked === false && intercept && others.length === 0 &&
    !response.by && !response.asked && response.event === undefined;
  if (isPlain && term.kind === "group" && term.intercept && term.groups.length === 1) {
    if (term.slopes.length === 0) return term.groups[0];
  }
  const message =
    "Cannot read the formula of a space of poolings: wanted one response and one group";
  const hint = 'write y ~ (1 | group), or ask about [(1 | group)] in space = "regression"';
  throw inputError("formula/pooling", message, undefined, hint);
}
