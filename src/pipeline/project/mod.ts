/** The folder of a project. */
export { findSluiceHome, homeFlags, projectLayout, projectRootOf } from "./project.ts";
export type { ProjectLayout, SluiceHome } from "./project.ts";
