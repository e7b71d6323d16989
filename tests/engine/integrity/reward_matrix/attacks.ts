/** Programs that try to be paid for what they do not know, and honest ones, all about one data set. */
import type { Family } from "./attack.ts";
import { combs } from "./combs.ts";
import { densities } from "./densities.ts";
import { fields } from "./fields.ts";
import { honestModels } from "./honest.ts";
import { memory } from "./memory.ts";
import { order } from "./order.ts";
import { peeking } from "./peeking.ts";

/** Every family, honest models last. */
export const families: readonly Family[] = [
  fields,
  combs,
  memory,
  order,
  densities,
  peeking,
  honestModels,
];
