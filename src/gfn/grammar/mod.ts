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
export { type GrammarMeaning, meaningOf } from "./meaning.ts";
export { type CheckBudget, objectsToCheck } from "./programs.ts";
export { grammarText } from "./write.ts";
export { spaceGrammar } from "../spaces/space.ts";
export type { Meaning, Question } from "./meaning.ts";
export type { Filling } from "./nested/filling.ts";
export type { holeTypes } from "./spec.ts";
export type { Item } from "./nested/filling.ts";
export type { Rooms } from "./nested/rooms.ts";
export type { CompiledGrammar } from "./compile.ts";
export type { Chain, OpenHole, OpenNumber } from "./nested/filling.ts";
export type { NestedHole } from "./nested/nested_holes.ts";
export type { Place } from "./nested/rooms.ts";
export type { CompiledAction, CompiledClause, CompiledHole, CompiledText } from "./compile.ts";
export type { SortedOperands } from "./nested/operands.ts";
export type { Room } from "./nested/rooms.ts";
export type { NormalForm } from "./compile.ts";
export type { Choice } from "./nested/operands.ts";
export type { TextSource } from "./places.ts";
export type { Template } from "./template.ts";
export type { TemplateLine } from "./template.ts";
export type { Piece } from "./template.ts";
