/** TOML with the place of every value. */
export { localFiles } from "./files.ts";
export { parseTomlFile } from "./parse.ts";
export type { Path } from "./path.ts";
export type { Files } from "./files.ts";
export type { ValueSource } from "./located.ts";
export type { TomlDocument } from "./parse.ts";
export type { JsonSchema } from "./json_schema.ts";
export type { TomlTable } from "./parse.ts";
export type { TomlValue } from "./parse.ts";
export { readDocument } from "./document.ts";
