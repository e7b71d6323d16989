/** Prompts as artifacts: texts, and what each was shown of the data. */
import { jsonPort } from "./json_codec.ts";
import type { Prompts } from "./values.ts";

/** Prompts for policies, to be answered by programs. */
export const promptsType = jsonPort<Prompts, Prompts>("prompts", (v) => v, (v) => v);
