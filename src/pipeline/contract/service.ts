/** A service: work that the host of a run does for stages that name it, such as executing programs. */
import type { SandboxLevel } from "../../base/sandbox_level.ts";
import type { Row } from "./stage.ts";

/** Demands of the user on every service of a run. */
export interface ServiceDemands {
  /** Level of the sandbox below which nothing is executed or recalled. */
  readonly minimumLevel?: SandboxLevel;
}

/** The run that a service is opened for. */
export interface ServiceRun extends ServiceDemands {
  /** Warns the user about the answers. */
  readonly warn: (message: string) => void;
  /** `host:port` of the servers that stages name and the user allows; none if left out. */
  readonly hosts?: readonly string[];
  /** Variables of keys that stages name and the user allows. */
  readonly variables?: readonly string[];
  /** Commands of services that stages name and the user allows, as a shell reads them. */
  readonly commands?: readonly string[];
  /** Images of containers that stages name and the user allows; none if left out. */
  readonly images?: readonly string[];
  /** Absolute paths of the modules that stages name; none if left out. */
  readonly modules?: readonly string[];
  /** Folder of the run's logs. */
  readonly logs?: string;
}

/** The attempt at a stage that a service answers. */
export interface ServiceCaller {
  /** Appends rows to a table of the run; they are taken back if the attempt is. */
  readonly append: (table: string, rows: readonly Row[]) => void;
  /** To be called when the counts have changed, a few times a second at most. */
  readonly onProgress: () => void;
}

/** Counts of answers by a service to one attempt, for its progress line. */
export interface ServiceCounts {
  /** Answers that were computed. */
  readonly executed: number;
  /** Answers that were known. */
  readonly recalled: number;
  /** The request that is being answered. */
  readonly batch?: { readonly done: number; readonly total: number };
}

/** A service as one attempt at a stage sees it. */
export interface ServiceSession {
  /** Answers so far, for the progress line. */
  readonly counts: ServiceCounts;
  /**
   * Answers a request. Request and answer are JSON, with the numbers that JSON lacks; an object
   * among the fields of requests is the same object each time that a stage sends the same.
   *
   * @throws MachineFailure if it is the machine's doing, so that another attempt may succeed; any
   * other error fails the stage.
   */
  answer(request: unknown, signal: AbortSignal): Promise<unknown>;
}

/** Check that a service makes when the stages of a run are done. */
export interface ServiceCheck {
  /** Sentence that reports show beside the outcome. */
  readonly name: string;
  /** A run with a check that did not pass has failed. */
  readonly passed: boolean;
  /** Finding where it did not pass. */
  readonly found: string;
}

/** A service of a run that has begun. */
export interface OpenService {
  /** Begins to answer one attempt at a stage. */
  session(caller: ServiceCaller): ServiceSession;
  /** Asked once all stages are done. */
  checks?(): readonly ServiceCheck[];
  /** Ends all work and frees processes; no session answers afterwards. */
  close(): Promise<void>;
}

/**
 * A service. Kinds of stages name those that they ask (`uses: ["executor"]`), the caller of a run
 * says which exist, and the runner passes messages on unread.
 */
export interface Service {
  /** The name by which kinds ask for it. */
  readonly name: string;
  /** Name of the part that changed if its digest did: "the engine". */
  readonly title: string;
  /** Digest of all that its answers depend on beside requests; part of the fingerprint of stages. */
  digest(demands: ServiceDemands): string;
  /** Called once per run, when the first stage asks. */
  open(run: ServiceRun): OpenService;
}

/** A failure that is no stage's doing: the runner makes another attempt at the stage. */
export class MachineFailure extends Error {
  /** Name by which messages between processes distinguish it from a fault of the stage. */
  override readonly name = "MachineFailure";
}
