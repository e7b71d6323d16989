/** Agreement of answers with those of another program, and their table. */

/** A data set, and a question about it in both languages. */
export interface Case {
  readonly data: string;
  readonly formula: string;
  readonly options?: readonly string[];
  /** By question: its term in the other program. */
  readonly asked: Readonly<Record<string, string>>;
}

/** Answers of the other program. */
export interface Reference {
  readonly rows: number;
  readonly models: number;
  readonly cpu: number;
  /** Half the difference of AIC in favour of a term, and its coefficient where it is one number. */
  readonly questions: Readonly<
    Record<string, { readonly half_aic: number; readonly effect?: number; readonly se?: number }>
  >;
}

interface AnswerJson {
  readonly questions: readonly {
    readonly question: string;
    readonly answers: readonly {
      readonly answer: string;
      readonly target: number | null;
      readonly lo: number | null;
      readonly hi: number | null;
    }[];
  }[];
  readonly effects: readonly { readonly term: string; readonly mean: number }[];
  readonly programs: number;
}

/** The command's answer, or the reason why it refused. */
export interface Answered {
  readonly cpu: number;
  readonly answer?: AnswerJson;
  readonly refusal?: string;
}

/** Half a difference of AIC below which a term may be in or out. */
const undecided = 3;
/** Standard errors by which a coefficient may differ: priors and other models pull it. */
const mostApart = 1;

/** One data set's row. */
export function compared({ data, formula, asked }: Case, reference: Reference, answered: Answered) {
  const { answer, refusal, cpu } = answered;
  const questions = Object.keys(asked).map((question) => {
    const own = answer?.questions.find((one) => one.question === question);
    const inside = own?.answers.find((one) => one.answer === "in");
    const effect = answer?.effects.find(({ term }) => term === question)?.mean;
    const { half_aic, effect: wanted, se } = reference.questions[question];
    return { question, in: inside?.target ?? null, half_aic, effect: effect ?? null, wanted, se };
  });
  const faults = refusal === undefined ? questions.flatMap(faultOf) : [`refused: ${refusal}`];
  const { rows, models, cpu: referenceCpu } = reference;
  const programs = answer?.programs ?? 0;
  return { data, formula, rows, models, programs, questions, cpu, referenceCpu, faults };
}

type Question = {
  readonly question: string;
  readonly in: number | null;
  readonly half_aic: number;
  readonly effect: number | null;
  readonly wanted?: number | undefined;
  readonly se?: number | undefined;
};

function faultOf({ question, in: inside, half_aic, effect, wanted, se }: Question): string[] {
  if (inside === null) return [`${question}: no probability`];
  const other = Math.abs(half_aic) > undecided && (inside > 0.5) !== (half_aic > 0);
  const far = effect !== null && wanted !== undefined && half_aic > undecided &&
    Math.abs(effect - wanted) > mostApart * se!;
  return [
    ...(other ? [`${question}: ${percent(inside)} in, ½ΔAIC ${half_aic.toFixed(1)}`] : []),
    ...(far ? [`${question}: effect ${effect.toPrecision(3)}, ${wanted.toPrecision(3)}`] : []),
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0.995 || share < 0.005 ? 1 : 0)} %`;
}

/** Rows of the page. */
export function dataSetsTable(
  results: Readonly<Record<string, ReturnType<typeof compared>>>,
): string {
  const rows = Object.values(results).map((one) => [
    one.data,
    String(one.rows),
    `\`${one.formula.replaceAll("|", "\\|")}\``,
    one.questions.map((q) => `${q.question} ${q.in === null ? "–" : percent(q.in)}`).join(", "),
    one.questions.map((q) => q.half_aic.toFixed(1)).join(", "),
    one.questions.map(effectsOf).filter(Boolean).join(", "),
    `${one.cpu.toFixed(1)}; ${one.referenceCpu.toFixed(2)}`,
    one.faults.length === 0 ? "yes" : one.faults.join("; "),
  ]);
  const head = ["data", "rows", "formula", "in", "½ΔAIC", "effect (statsmodels)", "CPU s", "agree"];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function effectsOf({ effect, wanted }: Question): string {
  if (effect === null || wanted === undefined) return "";
  return `${Number(effect.toPrecision(3))} (${Number(wanted.toPrecision(3))})`;
}
