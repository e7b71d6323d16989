/** Writes the grammar of a space: lines that all programs have, and holes that are questions. */
import { inputError } from "../../../base/diagnostic.ts";
import type { GrammarSpec, HoleSpec, ProductionSpec } from "../../grammar/spec.ts";
import { type ParameterPriors, partedPriors, withParameterPriors } from "./parameter_priors.ts";
import {
  type AnswerPriors,
  checkAsked,
  priorsOf,
  type SpacePriors,
  widthsOfQuestion,
  widthsOfSpace,
  withoutWidths,
} from "./priors.ts";

/** One answer to a question, and the lines that it writes. */
export interface Choice {
  /** Name of the answer in reports. */
  readonly answer: string;
  /** Base of the production's name; the answer, if left out. */
  readonly name?: string;
  /** Lines of the program; a line such as `{hole}` is another hole. */
  readonly lines: readonly string[];
  /** Prior probability unless the pipeline gives one; equal ones, if left out. */
  readonly prior?: number;
  /** Class of the production: those of one class write one model. */
  readonly class?: string;
  readonly requires?: readonly string[];
  readonly requiresAny?: readonly string[];
  readonly excludes?: readonly string[];
}

/** Where a hole stands. */
interface HoleOptions {
  /** Starts its name; the question, if left out. */
  readonly called?: string;
  /** False: it stands in the text of another one, and not in the template. */
  readonly inTemplate?: boolean;
}

/** Words for an effect in reports. */
interface EffectWords {
  readonly against?: string | undefined;
  readonly at?: string | undefined;
  readonly ratio?: string | undefined;
  /** Whether it is a standard deviation, which has no ratio. */
  readonly isSpread?: boolean | undefined;
}

/** Collects lines, holes and effects, and makes a grammar of them. */
export class SpaceWriter {
  readonly #lines: string[] = [];
  readonly #holes: HoleSpec[] = [];
  readonly #effects = new Map<string, string>();
  readonly #against = new Map<string, string>();
  readonly #at = new Map<string, string>();
  readonly #ratios = new Map<string, string>();
  readonly #names = new Set<string>();
  readonly #called = new Map<string, readonly string[]>();
  readonly #ownWidths = new Map<string, OwnWidth>();
  #baseWidth = "";
  #observed = "";

  readonly priors: AnswerPriors | undefined;
  readonly #parameters: ParameterPriors;

  /** @param name of the grammar: lower-case letters, digits, underscores. */
  constructor(readonly name: string, priors: SpacePriors | undefined) {
    const { answers, parameters } = partedPriors(priors);
    this.priors = answers;
    this.#parameters = parameters;
  }

  /** Holes so far, in their order. */
  get holes(): readonly HoleSpec[] {
    return this.#holes;
  }

  /** Lines that every program has here. */
  line(...lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  /**
   * Names a variable for reports.
   *
   * @param against the level that it is compared with, where it stands for a level of a category;
   * at: where the effects of a product's factors hold; ratio: name of its exponential, unless
   * it is a spread.
   */
  effect(
    label: string,
    variable: string,
    { against, at, ratio, isSpread }: EffectWords = {},
  ): void {
    this.#effects.set(label, variable);
    if (against !== undefined) this.#against.set(label, against);
    if (at !== undefined) this.#at.set(label, at);
    if (ratio !== undefined && !isSpread) this.#ratios.set(label, ratio);
  }

  /**
   * The name of the observed variable, in quotes, for texts of this writer: that of its column,
   * unless another variable has it, or no variable can have it, such as a year.
   *
   * @param slug the column's name as Python takes it.
   */
  nameOfObserved(slug: string): string {
    this.#observed = /^[0-9]/.test(slug) ? `y_${slug}` : slug;
    return observedMark;
  }

  /**
   * A hole whose productions answer a question; one choice alone is lines of all programs.
   *
   * @throws InputError `space/question` where a question has the name of another.
   */
  ask(question: string, choices: readonly Choice[], options: HoleOptions = {}): string {
    if (this.#holes.some((one) => one.question === question)) throw askedTwice(question);
    const answers = [...new Set(choices.map(({ answer }) => answer))];
    const priors = priorsOf(this.priors, question, answers, usualPriors(choices, answers));
    const productions = this.#withOwnWidth(question, choices).map((choice): ProductionSpec => {
      const same = choices.filter(({ answer }) => answer === choice.answer).length;
      const weight = priors[answers.indexOf(choice.answer)] / same;
      return { ...this.#production(choice, weight), answer: choice.answer };
    });
    return this.#hole({ question }, options.called ?? question, productions, options);
  }

  /** A hole that asks nothing: its choices are averaged over. */
  nuisance(called: string, choices: readonly Omit<Choice, "answer">[], options: HoleOptions = {}) {
    const productions = choices.map((choice) =>
      this.#production({ ...choice, answer: "" }, choice.prior ?? 1 / choices.length)
    );
    return this.#hole({ nuisance: true }, called, productions, options);
  }

  /**
   * Factors of a prior's width: a number as text, or a hole within a line where there are several.
   *
   * @param called starts the names of the hole and its productions.
   */
  widths(called: string, widths: readonly number[]): string {
    if (widths.length === 1) return String(widths[0]);
    const productions = widths.map((width) =>
      this.#production({ answer: "", name: `${called} width ${width}`, lines: [`${width}`] }, 1)
    );
    const name = this.#unique(`w_${nameOf(called)}`);
    this.#holes.push({ name, type: "number", nuisance: true, productions });
    return `{${name}}`;
  }

  /**
   * Writes the line of the space's widths, and returns the factor that every prior width begins with,
   * `width * `; empty where the space has no widths.
   */
  spaceWidth(): string {
    const widths = widthsOfSpace(this.priors);
    if (widths.length === 1 && widths[0] === 1) return "";
    this.line(`width = ${this.widths("all", widths)}`);
    this.#baseWidth = "width * ";
    return this.#baseWidth;
  }

  /**
   * Factor that widths in the choices of a question begin with: a number, or a variable that the choices
   * define, where the pipeline gives the question widths; else that of the space.
   */
  widthOf(question: string, usual: string = this.#baseWidth): string {
    const own = widthsOfQuestion(this.priors, question);
    if (own === undefined) return usual;
    const factor = this.widths(question, own);
    const isHole = own.length > 1;
    const prefix = `${isHole ? factor.slice(1, -1) : factor} * `;
    this.#ownWidths.set(question, {
      prefix,
      ...(isHole && { line: `${prefix.slice(0, -3)} = ${factor}` }),
    });
    return prefix;
  }

  /** The line that defines a question's own width, for terms that are not in question. */
  ownWidthLine(question: string): readonly string[] {
    const { line } = this.#ownWidths.get(question) ?? {};
    return line === undefined ? [] : [line];
  }

  /** Factor of `spaceWidth`. */
  get baseWidth(): string {
    return this.#baseWidth;
  }

  /** @throws InputError `space/prior` for a prior that names no question. */
  grammar(imports: readonly string[], terms: readonly string[] = []): GrammarSpec {
    const questions = this.#holes.flatMap(({ question }) => question === undefined ? [] : question);
    checkAsked(this.priors, questions, terms);
    const body = this.#lines.map((line) => `    ${line}`);
    const template = [...imports, "", "with pm.Model() as model:", ...body].join("\n");
    const texts = this.#holes.flatMap(({ productions }) => productions.map(({ text }) => text));
    const observed = JSON.stringify(freeName(this.#observed, [template, ...texts]));
    const write = withParameterPriors(this.#parameters, [template, ...texts], this.#effects);
    const named = (text: string) => write(text.replaceAll(observedMark, observed));
    const holes = this.#holes.map((hole) => ({
      ...hole,
      productions: hole.productions.map((one) => ({ ...one, text: named(one.text) })),
    }));
    return {
      format: 1,
      name: this.name,
      exit: 1,
      clauses: [],
      template: named(template),
      holes,
      ...(this.#effects.size > 0 && { effects: Object.fromEntries(this.#effects) }),
      ...(this.#against.size > 0 && { against: Object.fromEntries(this.#against) }),
      ...(this.#at.size > 0 && { at: Object.fromEntries(this.#at) }),
      ...(this.#ratios.size > 0 && { ratios: Object.fromEntries(this.#ratios) }),
    };
  }

  /** The names of productions that were called so, in their order. */
  productionsCalled(answer: string): readonly string[] {
    return this.#called.get(answer) ?? [];
  }

  /** Puts the line of a question's own widths before the choices that use them. */
  #withOwnWidth(question: string, choices: readonly Choice[]): readonly Choice[] {
    const own = this.#ownWidths.get(question);
    const uses = ({ lines }: Choice) =>
      own !== undefined && lines.some((line) => usesWidth(line, own.prefix));
    if (widthsOfQuestion(this.priors, question) && !choices.some(uses)) {
      throw withoutWidths(question);
    }
    if (own?.line === undefined) return choices;
    const line = own.line;
    return choices.map((one) => uses(one) ? { ...one, lines: [line, ...one.lines] } : one);
  }

  #production(choice: Choice, weight: number): ProductionSpec {
    const { answer, name, lines, requires = [], requiresAny = [], excludes = [] } = choice;
    const text = lines.length > 0 ? lines.join("\n") : commented(name ?? answer);
    const called = name ?? answer;
    const own = { name: this.#unique(nameOf(called)), weight, text };
    this.#called.set(called, [...this.productionsCalled(called), own.name]);
    const conditions = { requires, requiresAny, excludes };
    return { ...own, ...conditions, ...(choice.class !== undefined && { class: choice.class }) };
  }

  #hole(
    meaning: { readonly question: string } | { readonly nuisance: true },
    called: string,
    productions: readonly ProductionSpec[],
    { inTemplate = true }: HoleOptions,
  ): string {
    const name = this.#unique(`q_${nameOf(called)}`);
    if (inTemplate) this.#lines.push(`{${name}}`);
    this.#holes.push({ name, type: "statements", ...meaning, productions });
    return `{${name}}`;
  }

  #unique(name: string): string {
    let unique = name;
    for (let k = 2; this.#names.has(unique) || unique === "exit"; k++) unique = `${name}_v${k}`;
    this.#names.add(unique);
    return unique;
  }
}

/** Widths of one question: the factor that widths begin with, and the line that defines it if it is a hole. */
interface OwnWidth {
  readonly prefix: string;
  readonly line?: string;
}

/** Whether a line has a width as a factor, or as a divisor of a rate. */
function usesWidth(line: string, prefix: string): boolean {
  return line.includes(`=${prefix}`) || line.includes(` / ${prefix.slice(0, -3)})`) ||
    line.includes(` ${prefix}`);
}

/** Stands for the name of the variable that is observed; nothing else in a text has this character. */
const observedMark = "\ue000";

/** Names that results keep for themselves, which no variable may have. */
const ofResults: ReadonlySet<string> = new Set(
  "log_likelihood log_prior lp elpd elpd_loo chain draw".split(" "),
);

function askedTwice(question: string): Error {
  const message = `Cannot ask [${question}]: the space has a question of this name of its own`;
  const hint = `write the column in backticks: [\`${question}\`]`;
  return inputError("space/question", message, undefined, hint);
}

/** A name that no variable of these texts has. */
function freeName(wanted: string, texts: readonly string[]): string {
  const taken = new Set(
    texts.flatMap((text) => Array.from(text.matchAll(/\("(\w+)"/g), ([, name]) => name)),
  );
  let name = wanted;
  while (taken.has(name) || ofResults.has(name)) name = `${name}_observed`;
  return name;
}

/** Priors that choices give, added up by answer; undefined if they give none. */
function usualPriors(choices: readonly Choice[], answers: readonly string[]) {
  if (choices.every(({ prior }) => prior === undefined)) return undefined;
  return answers.map((answer) =>
    choices.reduce((sum, choice) => sum + (choice.answer === answer ? choice.prior ?? 0 : 0), 0)
  );
}

/**
 * A comment line, for a hole that must not be empty. Characters of a column's name beside letters and
 * digits are replaced: they could end the line or open a bracket.
 */
function commented(what: string): string {
  const plain = what.replace(/`[^`]*`/g, (name) => name.replace(/[^\p{L}\p{N}_ .`]/gu, "_"));
  return `# ${plain.replace(/[{}\s\p{C}\p{Zl}\p{Zp}]+/gu, " ")}`;
}

/** A name of the grammar: lower-case letters, digits, underscores. */
function nameOf(source: string): string {
  const name = source.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(name) ? name : `t_${name}`;
}
