/** Checks imports: the modules of the subset become names, all others are refused. */
import { refuseRebinding } from "./check_statement.ts";
import type { Checking } from "./checking.ts";
import type { ImportStatement } from "./tree.ts";
import type { ModuleName } from "./values.ts";

const modules: Readonly<Record<string, ModuleName>> = {
  pymc: "pm",
  numpy: "np",
  math: "math",
  "pymc.math": "pm.math",
  "pytensor.tensor": "pt",
  pandas: "other",
  arviz: "other",
};
/** Names that stand for something else than a module. */
function isTaken(name: string): boolean {
  return name === "data" || name === "abs" || name === "len";
}

/** Binds the modules that the subset knows; others are refused. */
export function checkImport(checking: Checking, s: ImportStatement): void {
  for (const { module, name } of s.imports) {
    const known = s.form === "from" ? fromModules[module] : modules[module];
    const dotted = s.form === "import" && module.includes(".") && name === module.split(".")[0];
    if (!known || dotted) refuseImport(checking, s, module);
    else if (isTaken(name)) refuseRebinding(checking, name, s);
    else checking.scope.set(name, { kind: "module", module: known });
  }
}

const fromModules: Readonly<Record<string, ModuleName>> = {
  "pytensor.tensor": "pt",
  "pymc.math": "pm.math",
};

function refuseImport(checking: Checking, s: ImportStatement, module: string): void {
  const message = `Cannot import ${module}: not in the subset`;
  const hint = s.form === "from"
    ? "write `import pymc as pm` and pm. before the name"
    : "write `import pymc as pm` or `import numpy as np`";
  checking.error("unsupported/import", message, s, hint);
}
