/** The executor `native`: the engine reads the text itself. */
import type { BuiltInExecutor } from "./front_end.ts";

export const native: BuiltInExecutor = { name: "native", reads: "engine" };
