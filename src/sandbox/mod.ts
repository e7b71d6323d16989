/**
 * The sandbox: levels, launchers, attestation, and frames to speak through. It depends on no kind
 * of program and no engine.
 *
 * A tour. An untrusted text runs in a process that may read its own interpreter and nothing else,
 * at the highest level that this machine offers (Linux; level L2 needs Landlock and seccomp, L3
 * bubblewrap):
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { runPython } from "sluice/sandbox";
 *
 * const script = Deno.makeTempFileSync({ suffix: ".py" });
 * Deno.chmodSync(script, 0o644); // at L3 the program is another user
 * Deno.writeTextFileSync(script, 'print(open("/etc/passwd").read())');
 * const run = await runPython({ script, limits: { cpuSeconds: 5 } });
 *
 * // How it ended is the kernel's word and the supervisor's; what it printed is only output.
 * assert.equal(run.status, "error");
 * assert.equal(run.stdout.length, 0);
 * assert.match(new TextDecoder().decode(run.stderr), /passwd/); // what Python says of the refusal
 *
 * // The attestation is the digest of every layer that was set up, before the program began.
 * assert(run.level === "L2" || run.level === "L3");
 * assert.match(run.attestation, /^[0-9a-f]{64}$/);
 * Deno.removeSync(script);
 * ```
 *
 * Which record may be trusted with what is a policy, not a habit:
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { policyBreach, reaches } from "sluice/sandbox";
 *
 * assert(reaches("L3", "L2"));
 * assert.equal(policyBreach({ level: "L1" }, "grammar"), undefined);
 * assert.match(policyBreach({ level: "L1" }, "foreign")!, /asks for level L2/);
 * ```
 *
 * `docs/security.md` has the layers of each level, `bench/results/sandbox.md` the attacks that were tried.
 *
 * @module
 */
export { ContainerPython } from "./container_python.ts";
export { MissingPartError } from "../base/diagnostic.ts";
export * from "../base/sandbox_level.ts";
export * from "../base/frames.ts";
export type { KernelLevel, Place } from "./attestation.ts";
export { chooseLauncher, type ChosenLauncher } from "./choose_launcher.ts";
export type { Launcher } from "./launcher.ts";
export { type ConfinedRecord, policyBreach, type TextOrigin } from "./policy.ts";
export type { PythonLimits } from "./python_program.ts";
export type { ProcessStatus, ProgramRun } from "./run_program.ts";
export { pythonLevel, runPython, type RunPythonOptions } from "./run_python.ts";
export { probesAt } from "./attestation.ts";
export { checked } from "./choose_launcher.ts";
export type { Confinement } from "./confinement.ts";
export { examineHost } from "./host.ts";
export { type EndReport, splitReport } from "./keeper.ts";
export { untriedLauncher } from "./kernel_launcher.ts";
export { denoLauncher, type WorkerStart } from "./launcher.ts";
export { confineNativeStage } from "./native_stage.ts";
export { minimumLevel, requireLevel } from "./policy.ts";
export { StderrTail } from "./stderr_tail.ts";
export type { ConfinementContainer, ConfinementHost } from "./confinement.ts";
export type { HostOffer } from "./host.ts";
export type { NativeStage, NativeStart } from "./native_stage.ts";
export type { RunOptions } from "./run_program.ts";
export type { LayerChanges } from "./confinement.ts";
export type { LayerFinding } from "./host.ts";
export type { LimitCeilings } from "./limits.ts";
export type { Architecture } from "./syscall_numbers.ts";
export type { LimitName } from "./limits.ts";
export type { architectures, SyscallName } from "./syscall_numbers.ts";
export type { resources } from "./limits.ts";
