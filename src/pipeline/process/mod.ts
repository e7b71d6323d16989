/** Processes of stages. */
export { type AskedModule, askedModule } from "./asked_module.ts";
export { readJsonFile } from "./json_file.ts";
export { decodeCell, encodeCell } from "./messages.ts";
export { readPipeline, readSound } from "./read_pipeline.ts";
export type { RunControl } from "./attempt.ts";
export type { StageFault } from "./messages.ts";
export type { PermissionName } from "./permissions.ts";
export type { Grants, permissionNames } from "./permissions.ts";
