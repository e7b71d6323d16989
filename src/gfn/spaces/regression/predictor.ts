/** A linear predictor in the grammar of a space: the parts of a formula, each a question or a line. */
import { inputError } from "../../../base/diagnostic.ts";
import type { Formula, Part, Term } from "../formula/formula.ts";
import type { Columns } from "../writing/columns.ts";
import type { Choice, SpaceWriter } from "../writing/space_writer.ts";
import { marginsOf } from "./margins.ts";
import { type TermScale, writeTerm, type WrittenTerm } from "./terms.ts";

/** Where terms are added, and how wide their priors are. */
interface PredictorOptions extends TermScale {
  /** Factor of widths in units of the response, where the unit is a variable of the program. */
  readonly unit?: string;
  /** False: interactions may be in without the terms that they are made of. */
  readonly margins?: boolean;
  /** False: its coefficients are of several scales, and no average of them means anything. */
  readonly reported?: boolean;
  /** Several variables, each of which has every term with coefficients of its own. */
  readonly each?: readonly Pick<TermScale, "variable" | "prefix" | "label">[];
  /** The name of an effect's exponential, where it is a ratio. */
  readonly ratio?: string | undefined;
}

/** Writes parts of a formula, one after another, and counts their coefficients. */
export class Predictor {
  /** Most coefficients that a program has. */
  coefficients = 0;
  /** Sources of all parts. */
  readonly sources: string[] = [];

  constructor(
    readonly writer: SpaceWriter,
    readonly columns: Columns,
    readonly formula: Pick<Formula, "parts">,
    readonly options: PredictorOptions,
  ) {}

  /** @throws InputError `formula/…` where a term does not suit the data. */
  write(): void {
    this.formula.parts.forEach((part) => this.#part(part));
  }

  #part(part: Part): void {
    const scale = this.#scaleOf(part);
    const written = part.alternatives.map((terms) => this.#together(terms, scale));
    for (const { effects } of this.options.reported === false ? [] : written) {
      for (const [label, { variable, ...words }] of effects) {
        this.writer.effect(label, variable, { ...words, ratio: this.options.ratio });
      }
    }
    this.coefficients += Math.max(...written.map(({ coefficients }) => coefficients));
    this.sources.push(part.source);
    if (part.asked) this.#ask(part, written.map(({ statements }) => statements));
    else {
      this.#margins(part.source, part.alternatives[0]);
      this.writer.line(...this.writer.ownWidthLine(part.source), ...written[0].statements);
    }
  }

  /**
   * Terms may have widths of their own instead of those of the space; offsets that only some
   * programs have leave the intercept where it is.
   */
  #scaleOf({ source, asked }: Part): TermScale {
    const { unit = "" } = this.options;
    const own = this.writer.widthOf(source, "");
    const scale = asked ? { ...this.options, centresOffsets: true } : this.options;
    return own === "" ? scale : { ...scale, width: `${own}${unit}` };
  }

  #together(terms: readonly Term[], scale: TermScale): WrittenTerm {
    const { each = [{}] } = this.options;
    const all = each.flatMap((own) =>
      terms.map((term) => writeTerm(this.columns, term, { ...scale, ...own }))
    );
    return {
      statements: all.flatMap(({ statements }) => statements),
      coefficients: all.reduce((sum, { coefficients }) => sum + coefficients, 0),
      effects: new Map(all.flatMap(({ effects }) => [...effects])),
    };
  }

  #ask({ source, names, alternatives }: Part, written: readonly (readonly string[])[]): void {
    const isOptional = names.length === 1;
    const prefix = source.includes(": ") && !names[0].includes(": ")
      ? `${source.split(": ")[0]} `
      : "";
    const choices = written.map((lines, i): Choice => ({
      answer: isOptional ? "in" : names[i],
      name: `${prefix}${names[i]}`,
      lines,
      ...this.#margins(source, alternatives[i]),
    }));
    const out = { answer: "out", name: `no ${prefix}${names[0]}`, lines: [] };
    this.writer.ask(source, isOptional ? [out, ...choices] : choices);
  }

  /** An interaction requires its margins. */
  #margins(source: string, terms: readonly Term[]): Pick<Choice, "requires" | "requiresAny"> {
    if (this.options.margins === false) return {};
    const wanted = marginsOf(terms, this.formula, source);
    const names = wanted.map((some) =>
      some.map((name) => this.writer.productionsCalled(this.#called(name))[0])
    );
    const requires = names.filter(({ length }) => length === 1).flat();
    const several = names.filter(({ length }) => length > 1);
    if (several.length <= 1) return { requires, requiresAny: several[0] ?? [] };
    const message = `Cannot use ${source}: two of the terms that it is made of have alternatives`;
    const hint = "put them in brackets of their own, or margins = false (--no-margins)";
    throw inputError("formula/margins", message, undefined, hint);
  }

  #called(alternative: string): string {
    const { prefix } = this.options;
    return prefix === "" ? alternative : `${prefix.replace(/_$/, "")} ${alternative}`;
  }
}

/** @throws InputError `formula/too-many` where programs have as many coefficients as there are rows. */
export function checkRows(coefficients: number, rows: number): void {
  if (coefficients < rows) return;
  const message = `Cannot use the formula: it has up to ${coefficients} coefficients, ` +
    `and the data ${rows} rows`;
  const hint = "leave terms out, or use (1 | g) for a column of many levels";
  throw inputError("formula/too-many", message, undefined, hint);
}
