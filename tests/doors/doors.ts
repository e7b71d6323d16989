/** All doors that are tried. */
import type { Door } from "./attack.ts";
import { disk } from "./disk.ts";
import { models } from "./models.ts";

/** In the order of the table. */
export const doors: readonly Door[] = [disk, models];
