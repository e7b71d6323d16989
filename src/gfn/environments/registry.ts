/** The environments that state their own reward: a line each. */
export { bitSequence } from "./bit_sequence.ts";
export { conjugatePrograms } from "./conjugate_programs.ts";
export { expression } from "./expression.ts";
export { hypergrid } from "./hypergrid.ts";
export { numbers } from "./numbers.ts";
export { regressions } from "./regressions.ts";
export { strings } from "./strings.ts";
