/** How families that are built on other distributions find those distributions' families. */
import type { FamilyDefinition } from "./family.ts";

/** The definition of a family; called when a formula is built, never while tables are. */
export type Lookup = (name: string) => FamilyDefinition;
