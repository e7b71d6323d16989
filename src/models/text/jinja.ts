/** Runs Jinja under limits, since templates of models and of others' pipelines are untrusted and may not end. */
import { Environment, Interpreter, Template } from "@huggingface/jinja";

/** Parsed template. */
export type JinjaProgram = Template["parsed"];

/** Expressions and statements that one rendering may evaluate; chat templates take some hundreds. */
const mostSteps = 1_000_000;

/** Numbers of all `range`s of one rendering together. */
const mostCounted = 20_000;

/** @throws Error if the text is no template. */
export function readJinja(text: string): JinjaProgram {
  return new Template(text).parsed;
}

/**
 * Renders a template with these variables and Jinja's own globals without the clock, so that results
 * are reproducible.
 *
 * @param missing Called with the name of every member that is read and absent, as in `{{ row.age }}`.
 * @throws Error if the template raises, or takes more steps than any that ends soon.
 */
export function renderJinja(
  program: JinjaProgram,
  items: Readonly<Record<string, unknown>>,
  missing: (name: string) => void = () => {},
): string {
  const environment = new Environment();
  for (
    const [name, value] of Object.entries({ ...globals, range: rangeUpTo(mostCounted), ...items })
  ) {
    environment.set(name, value);
  }
  const result = new CountingInterpreter(environment, missing).run(program);
  return String(result.value);
}

class CountingInterpreter extends Interpreter {
  #steps = 0;
  readonly #missing: (name: string) => void;

  constructor(environment: Environment, missing: (name: string) => void) {
    super(environment);
    this.#missing = missing;
  }

  override evaluate(...args: Parameters<Interpreter["evaluate"]>): ReturnType<
    Interpreter["evaluate"]
  > {
    if (++this.#steps > mostSteps) throw new Error(`it takes more than ${mostSteps} steps`);
    const found = super.evaluate(...args);
    const name = found.type === "UndefinedValue" && memberOf(args[0]);
    if (name) this.#missing(name);
    return found;
  }
}

/** Operand of an evaluation; undefined where a slice has no end, as in `messages[1:]`. */
type Member = {
  readonly type: string;
  readonly computed?: boolean;
  readonly property?: { readonly value?: unknown };
} | undefined;

/** The name in `x.name`; undefined of all else. */
function memberOf(statement: unknown): string | undefined {
  const member = statement as Member;
  if (member?.type !== "MemberExpression" || member.computed) return undefined;
  const name = member.property?.value;
  return typeof name === "string" ? name : undefined;
}

const globals = {
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
  raise_exception: (message: string) => {
    throw new Error(message);
  },
};

/** Python's `range`, limited to so many numbers in all. */
function rangeUpTo(most: number): (first: number, last?: number, step?: number) => number[] {
  let left = most;
  return (first, last, step = 1) => {
    const [from, to] = last === undefined || last === null ? [0, first] : [first, last];
    const count = Math.max(0, Math.ceil((to - from) / step));
    if (!(count <= left)) throw new Error(`its ranges have more than ${most} numbers`);
    left -= count;
    return Array.from({ length: count }, (_, i) => from + i * step);
  };
}
