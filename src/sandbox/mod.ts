/** The sandbox: levels, launchers, attestation, and frames to speak through. */
export * from "../base/sandbox_level.ts";
export * from "../base/frames.ts";
export { chooseLauncher } from "./choose_launcher.ts";
export { runPython } from "./run_python.ts";
