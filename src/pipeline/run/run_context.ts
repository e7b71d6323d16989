/** Context that all stages of one run share. */
import type { MachineResources } from "../basics/resources.ts";
import type { ConfineProcess } from "../contract/confinement.ts";
import type { ObjectStore } from "../store/objects.ts";
import type { HeldLock } from "../store/locks.ts";
import type { RunControl } from "../process/attempt.ts";
import type { RunObserver } from "../plan/observer.ts";
import type { ResolvedPipeline } from "../read/resolved.ts";
import type { Considered, PlanContext } from "../plan/plan.ts";
import type { PreparedStage } from "../plan/preparation.ts";
import type { OpenServices } from "./open_services.ts";
import type { RunRecord } from "./run_record.ts";
import type { StepChecks } from "./step_checks.ts";
import type { StageClaims } from "./stage_claims.ts";

/** A run in progress. */
export interface RunContext {
  readonly pipeline: ResolvedPipeline;
  readonly plan: PlanContext;
  readonly prepared: ReadonlyMap<string, PreparedStage>;
  readonly record: RunRecord;
  readonly objects: ObjectStore;
  readonly observer: RunObserver;
  readonly control: RunControl;
  /** Checks that are asked while loops go on. */
  readonly stepChecks: StepChecks;
  /** The services that all stages share. */
  readonly services: OpenServices;
  /** Resources of this machine. */
  readonly machine: MachineResources;
  /** Confines processes that load native code, where the machine can. */
  readonly confineNative?: ConfineProcess;
  /** Claims of stages among runs that were begun together: each is computed by one. */
  readonly claims: StageClaims;
  /** Locks taken before the run began, by fingerprint. */
  readonly held: Map<string, HeldLock>;
  /** Findings of the plan about the cached stages. */
  readonly cached: ReadonlyMap<string, Considered>;
  /** Reasons that the plan found for stages whose record was damaged. */
  readonly damaged: ReadonlyMap<string, string>;
  /** Digest of each artifact that exists by now, by `stage.port`. */
  readonly artifacts: Map<string, string>;
}
