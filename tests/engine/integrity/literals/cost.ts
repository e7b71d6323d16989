/** Counts the gradients that charges take beside those of scores. */
import type { Dataset } from "../../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../../src/engine/inference/density/compile.ts";
import type { CheckedProgram } from "../../../../src/engine/language/ir/program.ts";
import { checkProgram } from "../../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../../src/engine/score/execution/execution.ts";
import { literalsOf } from "../../../../src/engine/score/literals/charge.ts";
import { scoreNow } from "../../../../src/engine/score/score.ts";
import { grammarEnvironment } from "../../../../src/gfn/grammar/environment.ts";
import { grammarOf, repositoryText } from "../../../gfn/grammar/small_grammar.ts";
import type { LogDensity } from "../../../../src/numerics/math/mod.ts";
import { collections, type HonestProgram } from "./honest_programs.ts";
import { dugongs } from "../../density/data.ts";

/** Gradients of a charge and of a score. */
interface Cost {
  readonly charge: number;
  readonly score: number;
}

const grammarFile = "grammars/growth_curves.toml";

/** Five programs of the grammar of growth curves, evenly by its order, and five honest ones. */
export function costed(): HonestProgram[] {
  const grammar = grammarOf(repositoryText(grammarFile), grammarFile);
  const objects = [...grammarEnvironment(grammar).enumerate()];
  const grown = [0, 1, 2, 3, 4].map((fifth) => {
    const { features, text } = objects[Math.floor(fifth * objects.length / 5)];
    return { name: `grammar: ${features.join(", ")}`, text, data: dugongs(0.01) };
  });
  const others = Object.values(collections).flatMap((programs) => {
    const all = programs();
    return [all[3], all[20 % all.length]];
  });
  return [...grown, ...others.slice(0, 5)];
}

/** Gradients of the charge for a program's constants, and of its score without. */
export function costOf({ text, data, rows = "exchangeable" }: HonestProgram): Cost {
  const checked = checkProgram(text, data, undefined, { rows });
  if (!checked.ok) throw new Error(`internal: ${checked.diagnostics[0].message}`);
  const { score } = scoreNow(text, data, { ...defaultSchedule, rows });
  const charge = gradientsOf(checked.program, data, () => {
    literalsOf(checked.program, data);
  });
  return { charge, score: score!.gradients };
}

/** Gradients of compiled densities, and of those without rows, while something runs. */
function gradientsOf(program: CheckedProgram, data: Dataset, run: () => void): number {
  const compiled = Object.getPrototypeOf(compileLogDensity(program, data, { backend: "plain" }));
  const { logDensity, without } = compiled;
  let count = 0;
  compiled.logDensity = function (...args: unknown[]) {
    count++;
    return logDensity.apply(this, args);
  };
  compiled.without = function (rows: readonly number[]) {
    const rest: LogDensity = without.call(this, rows);
    const counted: LogDensity["logDensity"] = (...args) => {
      count++;
      return rest.logDensity(...args);
    };
    return { dimension: rest.dimension, logDensity: counted };
  };
  try {
    run();
  } finally {
    Object.assign(compiled, { logDensity, without });
  }
  return count;
}
