/** Weighted grammars whose derivations are programs. */
export { checkGrammar } from "./check.ts";
export {
  checkGrammarPrograms,
  type ProgramCheck,
  type ProgramsReport,
  type Twins,
} from "./programs.ts";
export { actionsOfDerivation, type DerivationResult } from "./derivation.ts";
export { grammarEnvironment } from "./environment.ts";
export { type GrammarState } from "./grammar_state.ts";
export type { Situation } from "./situations.ts";
export type { GrammarDocument, GrammarPath, Places } from "./places.ts";
export { grammarFindings, readGrammar } from "./read.ts";
export { describeRecursion } from "./nested/describe.ts";
export type {
  ClauseSpec,
  GrammarSpec,
  HoleSpec,
  HoleType,
  NumberRange,
  ProductionSpec,
} from "./spec.ts";
