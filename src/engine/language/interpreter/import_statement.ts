/** Imports: modules of the subset become names, all others are refused. */
import { refuseRebinding } from "./assignment.ts";
import type { Checking } from "./checking.ts";
import { insteadOfModule, modules, submodules } from "./modules.ts";
import { pythonBuiltins } from "./builtins.ts";
import type { Place } from "../syntax/source.ts";
import type { ImportStatement } from "../syntax/tree.ts";
import { invalid, type Value } from "./values.ts";

/** Binds the modules of the subset, and functions of them; others are refused. */
export function checkImport(checking: Checking, s: ImportStatement): void {
  for (const { module, name } of s.imports) {
    const value = name === "*"
      ? undefined
      : s.form === "from"
      ? memberOf(module)
      : moduleOf(module, name);
    if (!value) refuseImport(checking, s, module, name);
    else if (name === "data" || pythonBuiltins.has(name)) refuseRebinding(checking, name, s);
    else bindModule(checking, name, value, s);
  }
}

function bindModule(checking: Checking, name: string, value: Value, place: Place): void {
  const before = checking.scope.get(name);
  const taken = before && before.kind !== "module" && before.kind !== "builtin" &&
    checking.scope.has(name);
  if (taken) refuseRebinding(checking, name, place);
  else checking.scope.set(name, value);
}

/** `import pymc as pm`; `import a.b` binds a, so that only known ones may be dotted. */
function moduleOf(module: string, name: string): Value | undefined {
  const known = Object.hasOwn(modules, module) ? modules[module] : undefined;
  if (!known) return undefined;
  const dotted = module.includes(".") && name === module.split(".")[0];
  if (!dotted) return { kind: "module", module: known };
  const first = Object.hasOwn(modules, name) ? modules[name] : undefined;
  return first && { kind: "module", module: first };
}

/** `from pymc.math import exp`, `from pytensor import tensor as pt`. */
function memberOf(path: string): Value | undefined {
  if (Object.hasOwn(modules, path)) return { kind: "module", module: modules[path] };
  const dot = path.lastIndexOf(".");
  const [module, name] = [path.slice(0, dot), path.slice(dot + 1)];
  const known = Object.hasOwn(modules, module) ? modules[module] : undefined;
  if (!known) return undefined;
  if (known === "other") return { kind: "ignored", of: path };
  const inner = submodules[`${known}.${name}`];
  return inner ? { kind: "module", module: inner } : { kind: "builtin", module: known, name };
}

/** Reports a replacement; the name is bound, so that its uses are no further errors. */
function refuseImport(
  checking: Checking,
  s: ImportStatement,
  module: string,
  name: string,
): void {
  const message = `Cannot import ${module}: not in the subset`;
  const usual = s.form === "from"
    ? "write `import pymc as pm` and pm. before the name"
    : "write `import pymc as pm` or `import numpy as np`";
  checking.error("unsupported/import", message, s, insteadOfModule(module) ?? usual);
  if (name !== "*" && !checking.scope.get(name)) checking.scope.set(name, invalid);
}
