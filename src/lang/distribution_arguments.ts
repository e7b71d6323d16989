/** Matches the arguments of `pm.Family(...)` with the family's signature. */
import { evaluate, numeric } from "./check_expression.ts";
import type { Checking } from "./checking.ts";
import { knownNames } from "./findings.ts";
import type { Family, NodeId } from "./graph.ts";
import { type Form, type Signature, signatures } from "./signatures.ts";
import type { Place } from "./source.ts";
import type { Argument, Call, Expression } from "./tree.ts";

/** A parameter that was given, with its place. */
export interface GivenParameter {
  readonly node: NodeId;
  readonly place: Place;
}

/** The arguments of a variable by what they are for. */
export interface VariableArguments {
  readonly name?: Expression;
  readonly observed?: Argument;
  /** Everything but the name, `observed` and unknown keywords; `None` counts as not given. */
  readonly given: ReadonlyMap<string, GivenParameter>;
}

const shapes = new Set(["shape", "size", "dims"]);
const transforms = new Set(["transform", "default_transform"]);

/** Sorts and evaluates the arguments; undefined if any is wrong. */
export function matchArguments(
  checking: Checking,
  call: Call,
  family: Family,
): VariableArguments | undefined {
  const before = checking.findings.errors;
  const signature = signatures[family];
  const matched = assignNames(checking, call, signature);
  const given = new Map<string, GivenParameter>();
  for (const [parameter, argument] of matched.parameters) {
    const node = parameterNode(checking, argument, parameter);
    if (node !== undefined) given.set(parameter, { node, place: argument.value });
  }
  const { name, observed } = matched;
  return checking.findings.errors > before ? undefined : { name, observed, given };
}

interface Matched {
  name?: Expression;
  observed?: Argument;
  readonly parameters: Map<string, Argument>;
}

function assignNames(checking: Checking, call: Call, signature: Signature): Matched {
  const matched: Matched = { parameters: new Map() };
  const order = ["name", ...signature.positional];
  let position = 0;
  for (const argument of call.arguments) {
    if (argument.form === "keyword") placeKeyword(checking, call, signature, argument, matched);
    else if (argument.form === "positional") {
      placePositional(checking, call, signature, order[position++], argument, matched);
    } else {
      const message = "Cannot unpack arguments with * or **: not in the subset";
      checking.error("unsupported/argument", message, argument, "write the arguments one by one");
    }
  }
  return matched;
}

function placePositional(
  checking: Checking,
  call: Call,
  signature: Signature,
  parameter: string | undefined,
  argument: Argument,
  matched: Matched,
): void {
  const callee = checking.source.slice(call.callee);
  if (parameter === "name") matched.name = argument.value;
  else if (parameter === undefined) {
    const most = signature.positional.length + 1;
    const message = `Cannot check ${callee}: more than ${most} positional arguments`;
    const hint = `positions: name, ${signature.positional.join(", ")}`;
    checking.error("names/too-many-arguments", message, argument, hint);
  } else {
    if (signature.keywordSince?.includes(parameter)) {
      const message = `PyMC 5.28 takes ${parameter} of ${callee} by keyword only`;
      const code = "names/keyword-only";
      checking.findings.warning(code, message, argument, `write ${parameter}=`);
    }
    matched.parameters.set(parameter, argument);
  }
}

function placeKeyword(
  checking: Checking,
  call: Call,
  signature: Signature,
  argument: Argument,
  matched: Matched,
): void {
  const id = argument.keyword?.id ?? "";
  const parameters = [...signature.positional, ...signature.keywordOnly ?? []];
  if (id === "observed") matched.observed = argument;
  else if (id === "name" && !matched.name) matched.name = argument.value;
  else if (matched.parameters.has(id) || id === "name") {
    const message = `Cannot check ${checking.source.slice(call.callee)}: ${id} is given twice`;
    const hint = `leave the keyword out: the position of ${id} is taken`;
    checking.error("names/repeated-argument", message, argument, hint);
  } else if (parameters.includes(id)) matched.parameters.set(id, argument);
  else refuseKeyword(checking, call, id, argument, parameters);
}

function refuseKeyword(
  checking: Checking,
  call: Call,
  id: string,
  { keyword, start, end }: Argument,
  parameters: readonly string[],
): void {
  const callee = checking.source.slice(call.callee);
  const place = keyword ?? { start, end };
  const report = (code: string, why: string, hint: string) =>
    checking.error(code, `Cannot use ${id}= in ${callee}: ${why}`, place, hint);
  if (shapes.has(id)) {
    report("unsupported/shape", "parameters are scalar", "write one variable for each element");
  } else if (transforms.has(id)) {
    report("unsupported/argument", "the default transform is used", `leave ${id}= out`);
  } else if (id === "initval" || id === "rng") {
    report("unsupported/argument", "inference belongs to the host", `leave ${id}= out`);
  } else if (id === "logp" || id === "dist" || id === "logcdf") {
    const why = "a density of the program's own need not be normalised";
    report("lh/custom-density", why, `leave ${id}= out`);
  } else if (id === "total_size") {
    report("lh/rescaled-likelihood", "every row counts once", `leave ${id}= out`);
  } else {
    const hint = knownNames(id, "parameters", [...parameters, "observed"]);
    report("names/unknown-argument", "no such parameter", hint);
  }
}

/** The node of a parameter's argument; undefined for `None` and for errors. */
function parameterNode(
  checking: Checking,
  { value: e }: Argument,
  parameter: string,
): NodeId | undefined {
  const value = evaluate(checking, e);
  if (value.kind === "none") return undefined;
  return numeric(checking, value, e, parameter)?.node;
}

/** The parametrisation that the given names belong to, or a finding. */
export function chooseForm(
  checking: Checking,
  call: Call,
  family: Family,
  given: ReadonlyMap<string, GivenParameter>,
): Form | undefined {
  const { forms, defaults } = signatures[family];
  const names = [...given.keys()];
  const fitting = forms.filter((form) => names.every((name) => form.names.includes(name)));
  const missing = (form: Form) =>
    form.names.filter((name) => !given.has(name) && !Object.hasOwn(defaults, name));
  const complete = fitting.find((form) => missing(form).length === 0);
  if (complete) return complete;
  const callee = checking.source.slice(call.callee);
  const hint = `${callee} takes ${forms.map(({ names }) => names.join(" and ")).join(", or ")}`;
  if (fitting.length === 0) {
    const message = `Cannot check ${callee}: ${names.join(" and ")} do not go together`;
    checking.error("names/conflicting-arguments", message, call, hint);
  } else {
    const message = `Cannot check ${callee}: missing ${missing(fitting[0]).join(" and ")}`;
    checking.error("names/missing-argument", message, call, hint);
  }
  return undefined;
}
