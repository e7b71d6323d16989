/** Every family of further attacks. */
import { beyondDoubles } from "./beyond_doubles.ts";
import { cellEdges } from "./cell_edges.ts";
import { estimates } from "./estimates.ts";
import { fittedElsewhere } from "./fitted_elsewhere.ts";
import type { AttackFamily } from "./further_attack.ts";
import { orderBySpelling, otherDoors } from "./more_spellings.ts";
import { statistics } from "./statistics.ts";

/** In the order of the page. */
export const attackFamilies: readonly AttackFamily[] = [
  beyondDoubles,
  cellEdges,
  estimates,
  orderBySpelling,
  otherDoors,
  statistics,
  fittedElsewhere,
];
