/** Checks random variables and deterministics: priors become parameters, one is the likelihood. */
import { evaluate, numeric } from "./check_expression.ts";
import type { Checking } from "./checking.ts";
import {
  chooseForm,
  type GivenParameter,
  matchArguments,
  type VariableArguments,
} from "./distribution_arguments.ts";
import type { Distribution, Family } from "./graph.ts";
import { limits } from "./limits.ts";
import { checkCanonical, checkGiven } from "./parameter_domains.ts";
import { checkLikelihood } from "./check_likelihood.ts";
import { type Form, signatures } from "./signatures.ts";
import { transformOf } from "./transforms.ts";
import type { Call } from "./tree.ts";
import { invalid, type Value } from "./values.ts";
import { declareVariable, textArgument } from "./variable_names.ts";

/** `pm.Family("name", …)`: a parameter, or the likelihood if it is observed. */
export function checkVariable(checking: Checking, call: Call, family: Family): Value {
  if (!insideModel(checking, call)) return invalid;
  const observed = call.arguments.some(({ keyword, value }) =>
    keyword?.id === "observed" && !(value.kind === "constant" && value.value === "None")
  );
  if (observed) return checkLikelihood(checking, call, family);
  const matched = matchArguments(checking, call, family);
  const name = variableName(checking, call, matched);
  if (!matched || name === undefined) return invalid;
  const distribution = checkDistribution(checking, call, family, matched.given);
  if (!distribution || !scalar(checking, call, distribution, matched.given)) return invalid;
  return addParameter(checking, call, name, distribution);
}

function insideModel(checking: Checking, call: Call): boolean {
  if (checking.inModel) return true;
  const callee = checking.source.slice(call.callee);
  const message = `Cannot make a variable with ${callee}: it stands outside of the model`;
  checking.error("names/no-model", message, call, "indent it under `with pm.Model() as model:`");
  return false;
}

/** The variable's name, claimed; undefined with a finding if there is none to be had. */
export function variableName(
  checking: Checking,
  call: Call,
  matched: VariableArguments | undefined,
): string | undefined {
  const [first] = call.arguments;
  const e = matched ? matched.name : first?.form === "positional" ? first.value : undefined;
  const callee = checking.source.slice(call.callee);
  if (!e) {
    if (!matched) return undefined;
    const message = `Cannot check ${callee}: the variable has no name`;
    checking.error("names/missing-argument", message, call, `write ${callee}("name", ...)`);
    return undefined;
  }
  const name = textArgument(checking, e, callee);
  return name !== undefined && declareVariable(checking, name, e) ? name : undefined;
}

/** The canonical distribution of the given parameters; undefined with findings if there is none. */
export function checkDistribution(
  checking: Checking,
  call: Call,
  family: Family,
  given: ReadonlyMap<string, GivenParameter>,
): Distribution | undefined {
  const form = chooseForm(checking, call, family, given);
  const callee = checking.source.slice(call.callee);
  if (!form || !checkGiven(checking, callee, family, given)) return undefined;
  const distribution = { family, arguments: canonicalArguments(checking, family, form, given) };
  return checkCanonical(checking, callee, distribution, call) ? distribution : undefined;
}

function canonicalArguments(
  checking: Checking,
  family: Family,
  form: Form,
  given: ReadonlyMap<string, GivenParameter>,
) {
  const { defaults } = signatures[family];
  const entries = form.names.map((name) => {
    const node = given.get(name)?.node ?? checking.graph.constant(defaults[name]);
    return [name, node] as const;
  });
  return form.canonical(checking.graph, Object.fromEntries(entries));
}

/** A prior's arguments must be scalar: one variable has one value. */
function scalar(
  checking: Checking,
  call: Call,
  distribution: Distribution,
  given: ReadonlyMap<string, GivenParameter>,
): boolean {
  const callee = checking.source.slice(call.callee);
  let fine = true;
  for (const [name, { node, place }] of given) {
    if (!checking.graph.isVector(node)) continue;
    const rows = checking.dataset.rows;
    const message = `Cannot use this ${name} of ${callee}: wanted one number, found ${rows} (one ` +
      "per row)";
    const hint = "a prior is scalar; columns go into the likelihood";
    checking.error("shapes/vector-prior", message, place, hint);
    fine = false;
  }
  return fine && distribution.arguments.every((node) => !checking.graph.isVector(node));
}

function addParameter(
  checking: Checking,
  call: Call,
  name: string,
  prior: Distribution,
): Value {
  const index = checking.parameters.length;
  if (index >= limits.randomVariables) {
    const message = `Cannot add a variable: more than ${limits.randomVariables} in one program`;
    return checking.error("syntax/limit", message, call);
  }
  checking.parameters.push({ name, prior, transform: transformOf(checking.graph, prior) });
  checking.parameterPlaces.push(call.callee);
  return { kind: "numeric", node: checking.graph.parameter(index), host: false };
}

/** `pm.Deterministic("name", expression)`: reported with the draws, no part of the density. */
export function checkDeterministic(checking: Checking, call: Call): Value {
  if (!insideModel(checking, call)) return invalid;
  const [label, expression] = ["name", "var"].map((keyword, i) =>
    call.arguments.find((a, at) => a.form === "positional" ? at === i : a.keyword?.id === keyword)
  );
  if (!label || !expression || call.arguments.length !== 2) {
    const message = "Cannot check the arguments of pm.Deterministic: wanted a name and a value";
    const hint = 'write pm.Deterministic("name", expression)';
    return checking.error("names/arguments", message, call, hint);
  }
  const name = textArgument(checking, label.value, "pm.Deterministic");
  const declared = name !== undefined && declareVariable(checking, name, label);
  const found = evaluate(checking, expression.value);
  const value = numeric(checking, found, expression, "pm.Deterministic");
  if (!value || !declared) return invalid;
  if (value.host) {
    const message = `PyMC refuses pm.Deterministic("${name}", ...) of data alone`;
    checking.findings.warning("names/not-in-pymc", message, call, "wrap the column in pm.Data");
  }
  checking.deterministics.push({ name, node: value.node });
  return { ...value, host: false };
}
