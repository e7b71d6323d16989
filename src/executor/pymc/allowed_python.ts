/**
 * Checks foreign Python before it runs in the sandbox: on its text, by our own parser.
 * The process that builds the graph also prints it, so a program that could reach into modules,
 * frames or the printer could have another graph printed than the one that its text describes.
 */
import type { Diagnostic } from "../../base/diagnostic.ts";
import {
  children,
  type Expression,
  parse,
  type Place,
  Source,
  type Statement,
  SyntaxFailure,
  type Token,
  tokenize,
} from "../../engine/language/syntax/mod.ts";

/** Modules that may be imported, whole or by parts; `.*` stands for everything below. */
const importable = [
  ..."numpy numpy.linalg numpy.random numpy.polynomial.* numpy.typing math".split(" "),
  ..."pymc pymc.math pymc.distributions.* pymc.gp.* pymc.model pymc3".split(" "),
  ..."pytensor pytensor.tensor.* aesara aesara.tensor.* theano.tensor.*".split(" "),
  ..."scipy.special scipy.stats scipy.linalg scipy.interpolate scipy.spatial.distance".split(" "),
  ..."pandas arviz xarray matplotlib matplotlib.pyplot matplotlib.ticker seaborn".split(" "),
  ..."warnings pathlib.Path __future__.* itertools.* functools.partial functools.reduce".split(" "),
  ..."collections.* datetime.* statistics.* fractions.* decimal.* textwrap".split(" "),
  "logging",
  // Not `typing` itself: `get_type_hints` evaluates strings; nor `string`: a Formatter reads
  // attributes by their names.
  ..."typing.Any typing.Callable typing.Dict typing.List typing.NamedTuple typing.Optional".split(
    " ",
  ),
  ..."typing.Sequence typing.Tuple typing.Union typing.Literal typing.Iterable".split(" "),
];

/** Submodules that may be reached by a point from an imported module. */
const reachable: ReadonlySet<string> = new Set([
  ..."numpy.linalg numpy.random numpy.polynomial numpy.polynomial.polynomial".split(" "),
  ..."numpy.polynomial.legendre numpy.polynomial.chebyshev numpy.polynomial.hermite".split(" "),
  ..."pymc.math pymc.distributions pymc.distributions.transforms pymc.transforms".split(" "),
  ..."pymc.gp pymc.gp.cov pymc.gp.mean pymc.gp.util pymc.model pymc.ode pymc.stats".split(" "),
  ..."pytensor.tensor pytensor.config pytensor.tensor.linalg pytensor.tensor.slinalg".split(" "),
  ..."pytensor.tensor.nlinalg pytensor.tensor.special pytensor.tensor.math".split(" "),
  ..."pytensor.tensor.extra_ops pytensor.tensor.basic pytensor.tensor.random".split(" "),
  ..."scipy.special scipy.stats scipy.linalg scipy.interpolate scipy.spatial".split(" "),
  ..."scipy.spatial.distance matplotlib.pyplot pandas.plotting".split(" "),
]);

/** Modules that only draw and report: settings of them do not change a graph. */
const settable = /^(?:matplotlib|arviz|seaborn|warnings|logging)(?:\.|$)/;

/** Names of Python that run text, or reach what has no name of its own. */
const refusedNames: ReadonlySet<string> = new Set(
  ("eval exec compile open input breakpoint getattr setattr delattr globals locals vars dir " +
    "memoryview help exit quit super").split(" "),
);

/** Members that lead from an object to modules, frames, code or files. */
const refusedMembers: ReadonlySet<string> = new Set([
  ..."os sys gc json ctypes builtins importlib subprocess inspect pickle marshal shutil".split(" "),
  ..."ctypeslib runpy tempfile traceback gi_frame gi_code gi_yieldfrom cr_frame cr_code".split(" "),
  ..."ag_frame f_back f_globals f_locals f_builtins f_code tb_frame tb_next func_globals".split(
    " ",
  ),
  ..."co_code co_consts mro setflags as_strided stride_tricks eval query load save savez".split(
    " ",
  ),
  ..."savez_compressed savetxt loadtxt genfromtxt fromregex fromfile tofile memmap".split(" "),
  ..."read_pickle to_pickle read_sql read_html read_clipboard to_csv to_json".split(" "),
  ..."dictConfig fileConfig handlers get_type_hints ForwardRef get_field attrgetter".split(" "),
  ..."register_series_accessor register_dataframe_accessor register_index_accessor".split(" "),
  ..."seterrcall setLoggerClass cbook".split(" "),
]);

/** Names between double underscores that programs of every day have. */
const usualDunders: ReadonlySet<string> = new Set(["__name__", "__version__", "__file__"]);

const bytes = 64 * 1024;

/**
 * The first reason not to run a text; undefined if it may be run. A text that our parser cannot read
 * is not run either, whether Python could read it or not.
 *
 * @param packages further packages that may be imported, with all that is in them.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { refusePython } from "./allowed_python.ts";
 * assert.equal(refusePython("import pymc as pm\nx = pm.math.exp(1)"), undefined);
 * const found = refusePython("import json\njson.dumps = None");
 * assert.equal(found?.code, "unsupported/import");
 * assert.equal(found?.span?.line, 1);
 * ```
 */
export function refusePython(
  text: string,
  file = "program.py",
  packages: readonly string[] = [],
): Diagnostic | undefined {
  if (text.length > bytes || new TextEncoder().encode(text).length > bytes) {
    return plain("syntax/limit", `Cannot read the program: more than ${bytes} bytes`);
  }
  if (text.includes("\0")) {
    return plain("syntax/character", "Cannot parse: source code string cannot contain null bytes");
  }
  const source = new Source(text, file);
  try {
    const cookie = /^(?:[ \t\f]*(?:#[^\n]*)?\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)/
      .exec(source.text);
    if (cookie && !/^utf-?8$/i.test(cookie[1])) {
      return plain("unsupported/encoding", `Cannot read the encoding ${cookie[1]}: write UTF-8`);
    }
    const parsed = parse(source);
    if (!parsed.ok) return parsed.failure.toDiagnostic(source);
    new Vetting(source, parsed.statements, packages).run();
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxFailure) return error.toDiagnostic(source);
    throw error;
  }
}

function plain(code: string, message: string): Diagnostic {
  return { code, severity: "error", message };
}

class Vetting {
  /** Full names of modules, and of their members, by the names that the program gives them. */
  readonly #modules = new Map<string, string>();

  constructor(
    private readonly source: Source,
    private readonly statements: readonly Statement[],
    private readonly packages: readonly string[],
  ) {}

  run(): void {
    this.#each(this.statements, (statement) => this.#imports(statement));
    this.#tokens(tokenize(this.source).tokens);
    this.#each(this.statements, (statement) => this.#targets(statement));
  }

  #each(statements: readonly Statement[], look: (statement: Statement) => void): void {
    for (const statement of statements) {
      look(statement);
      if ("body" in statement) this.#each(statement.body, look);
      if ("bodies" in statement) { for (const one of statement.bodies) this.#each(one, look); }
    }
  }

  #refuse(code: string, what: string, place: Place, hint: string): never {
    const message = `Cannot run the program in PyMC: ${what}`;
    throw new SyntaxFailure(`unsupported/${code}`, message, place, hint);
  }

  #imports(statement: Statement): void {
    if (statement.kind !== "import") return;
    for (const { module, name } of statement.imports) {
      const whole = statement.form === "from" && name === "*" ? module : undefined;
      if (!isImportable(module) && !this.#isNamed(module)) {
        const more = this.packages.map((name) => `, ${name}`).join("");
        const hint =
          `programs import numpy, pymc, pytensor, pandas, math, scipy.special, arviz${more}`;
        this.#refuse("import", `it imports ${module}`, statement, hint);
      }
      if (whole !== undefined) continue;
      const bound = statement.form === "import" && name === module.split(".")[0] ? name : module;
      this.#modules.set(name, bound);
    }
  }

  /** Whether a module is of a package that the user has named. */
  #isNamed(module: string): boolean {
    const isPrivate = /(?:^|\.)_/.test(module);
    return !isPrivate && this.packages.includes(module.split(".")[0]);
  }

  /** Every name of the text, those of annotations and of f-strings among them. */
  #tokens(tokens: readonly Token[]): void {
    for (const [i, token] of tokens.entries()) {
      if (token.kind === "string") this.#string(token);
      if (token.kind !== "name") continue;
      const member = tokens[i - 1]?.text === ".";
      this.#name(token.text, member, token);
      if (!member) this.#chain(tokens, i);
    }
  }

  #name(name: string, member: boolean, place: Place): void {
    if (/^__.*__$/.test(name) && !usualDunders.has(name)) {
      this.#refuse("attribute", `it has the name ${name}, which is Python's own`, place, leaveOut);
    }
    if (refusedNames.has(name)) {
      this.#refuse("function", `it has the name ${name}`, place, leaveOut);
    }
    if (member && (refusedMembers.has(name) || /^_[^_]/.test(name))) {
      const hint = 'write a column as data["name"], and leave the members of others out';
      this.#refuse("attribute", `it reads .${name}`, place, hint);
    }
  }

  /** `np.linalg.norm`: from a module to what may be reached of it. */
  #chain(tokens: readonly Token[], at: number): void {
    let path = this.#modules.get(tokens[at].text);
    for (let i = at; path !== undefined && tokens[i + 1]?.text === "."; i += 2) {
      const next = tokens[i + 2];
      const after = tokens[i + 3]?.text === ".";
      path = `${path}.${next.text}`;
      if (!after || next.kind !== "name") return;
      const known = reachable.has(path) || settable.test(path) || this.#isNamed(path);
      const inner = /^[A-Z]/.test(next.text) || isMember(path);
      if (!known && !inner) {
        const hint = "write the functions of numpy, pymc and pytensor.tensor by their usual names";
        this.#refuse("attribute", `it goes into ${path}`, next, hint);
      }
      if (!known) return;
    }
  }

  /** Names in the fields of f-strings; strings that hold Python's own names as well. */
  #string(token: Token): void {
    if (/__[A-Za-z]\w*__/.test(token.text.normalize("NFKC"))) {
      const inside = /__[A-Za-z]\w*__/.exec(token.text.normalize("NFKC"))![0];
      if (inside !== "__main__" && !usualDunders.has(inside)) this.#name(inside, false, token);
    }
    if (!/^[rR]?[fF]/.test(token.text)) return;
    for (const [field] of token.text.matchAll(/\{[^"']*\}/g)) {
      for (
        const [before, name] of field.normalize("NFKC").matchAll(/\.?\s*([\p{L}_][\p{L}\p{N}_]*)/gu)
      ) {
        this.#name(name, before.startsWith("."), token);
      }
    }
  }

  /** Nothing is assigned to an attribute, nor into what a module holds. */
  #targets(statement: Statement): void {
    const targets: Expression[] = [];
    if (statement.kind === "assign") targets.push(...statement.targets);
    if (statement.kind === "with") targets.push(...statement.items.flatMap((i) => i.target ?? []));
    if (statement.kind === "for") targets.push(statement.expressions[0]);
    for (const e of expressionsOf(statement)) this.#expression(e);
    for (const target of targets) this.#target(target);
  }

  #target(target: Expression): void {
    if (target.kind === "tuple" || target.kind === "list") {
      for (const item of target.items) this.#target(item);
    } else if (target.kind === "starred") this.#target(target.value);
    else if (target.kind === "attribute") {
      const hint = "give the value a name of its own";
      this.#refuse("statement", "it assigns to an attribute", target, hint);
    } else if (target.kind === "subscript") this.#holder(target);
    else if (target.kind === "name" && this.#modules.has(target.id)) {
      const path = this.#modules.get(target.id);
      this.#refuse("statement", `it gives ${path} another meaning`, target, "use another name");
    }
  }

  #holder(target: Expression): void {
    let root = target;
    while (root.kind === "subscript" || root.kind === "attribute") root = root.object;
    const path = root.kind === "name" ? this.#modules.get(root.id) : undefined;
    if (path === undefined || settable.test(path)) return;
    this.#refuse("statement", `it assigns into ${path}`, target, leaveOut);
  }

  #expression(e: Expression): void {
    if (e.kind === "comprehension") { for (const { target } of e.clauses) this.#target(target); }
    if (e.kind === "call" && e.callee.kind === "name" && e.callee.id === "type") {
      if (e.arguments.length !== 1) this.#refuse("function", "it makes a type", e, leaveOut);
    }
    for (const part of children(e)) this.#expression(part);
  }
}

const leaveOut = "leave it out";

function isImportable(module: string): boolean {
  if (/(?:^|\.)_(?!_future__)/.test(module)) return false;
  return importable.some((one) => {
    if (!one.endsWith(".*")) return module === one || isPart(module, one);
    const base = one.slice(0, -2);
    return module === base || module.startsWith(`${base}.`);
  });
}

/** `from numpy import exp`: a member of an importable module that is no module itself. */
function isPart(module: string, importable: string): boolean {
  const rest = module.slice(importable.length + 1);
  return module.startsWith(`${importable}.`) && !rest.includes(".") && !refusedMembers.has(rest) &&
    !/^_/.test(rest) && !unseenModules.has(rest);
}

/** Modules inside of importable ones that are not named above. */
const unseenModules: ReadonlySet<string> = new Set(
  ("lib core compat testing f2py ma rec char emath dtypes exceptions fft matlib distutils io " +
    "errors util utils arrays tseries compile graph configdefaults link scalar tensor printing " +
    "gradient d3viz sampling step_methods tuning variational backends data func_utils logprob " +
    "pytensorf initial_point model_graph plots printing progress_bar smc vartypes config " +
    "style rcsetup rcparams stats_utils style_utils api").split(" "),
);

/** A function of a module whose result, or whose method, is reached: `np.add.reduce`, `pm.Normal.dist`. */
function isMember(path: string): boolean {
  const [root, ...rest] = path.split(".");
  const last = rest.at(-1) ?? "";
  return root !== "" && rest.length > 0 && !unseenModules.has(last) && !refusedMembers.has(last);
}

function expressionsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case "assign":
      return [...statement.targets, ...statement.value ? [statement.value] : []];
    case "expression":
      return [statement.value];
    case "return":
      return statement.value ? [statement.value] : [];
    case "with":
      return statement.items.map(({ context }) => context);
    case "def":
      return statement.parameters.flatMap((one) => one.default ?? []);
    case "import":
    case "pass":
    case "break":
    case "continue":
      return [];
    default:
      return statement.expressions;
  }
}
