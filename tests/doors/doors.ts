/** All doors that are tried. */
import type { Door } from "./attack.ts";
import { models } from "./models.ts";

/** In the order of the table. */
export const doors: readonly Door[] = [models];
