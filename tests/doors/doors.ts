/** All doors that are tried. */
import type { Door } from "./attack.ts";
import { dataFiles } from "./data_files.ts";
import { disk } from "./disk.ts";
import { formulas } from "./formulas.ts";
import { models } from "./models.ts";
import { policies } from "./policies.ts";
import { screens } from "./screens.ts";

/** In the order of the table. */
export const doors: readonly Door[] = [formulas, dataFiles, disk, models, policies, screens];
