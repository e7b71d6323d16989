/** Requests of one attempt at a stage: passed on to services, answers passed back, none understood. */
import { InputError, MissingPartError } from "../../base/diagnostic.ts";
import type { ServiceCaller, ServiceCounts, ServiceSession } from "../contract/service.ts";
import { decodeCell, encodeCell } from "../process/messages.ts";
import type { FromStage, StageFault, ToStage } from "../process/messages.ts";
import type { OpenServices } from "./open_services.ts";

/** Serves the requests of one process. */
export class AttemptRequests {
  readonly #sessions = new Map<string, ServiceSession>();
  readonly #shared = new Map<number, unknown>();

  constructor(
    readonly services: OpenServices,
    /** Services that the kinds of the stage declare; no other is asked. */
    readonly uses: ReadonlySet<string>,
    readonly caller: ServiceCaller,
  ) {}

  /** Keeps an object that requests will name. */
  share({ key, value }: FromStage & { type: "shared" }): void {
    this.#shared.set(key, decodeCell(value));
  }

  /** The answer to a request, or why there is none. */
  async answer(message: FromStage & { type: "ask" }, signal: AbortSignal): Promise<ToStage> {
    const { id } = message;
    try {
      const answer = await this.#session(message).answer(this.#requestOf(message), signal);
      return { type: "answered", id, answer: encodeCell(answer) };
    } catch (error) {
      return { type: "refused", id, fault: refusal(error) };
    }
  }

  /** Counts of all services for the attempt. */
  get counts(): ServiceCounts {
    const all = [...this.#sessions.values()].map(({ counts }) => counts);
    const sum = (key: "executed" | "recalled") => all.reduce((total, one) => total + one[key], 0);
    const batch = all.find((one) => one.batch)?.batch;
    return { executed: sum("executed"), recalled: sum("recalled"), batch };
  }

  #session({ stage, service }: FromStage & { type: "ask" }): ServiceSession {
    if (!this.uses.has(service)) throw new Error(undeclared(stage, service));
    const session = this.#sessions.get(service) ?? this.services.get(service).session(this.caller);
    this.#sessions.set(service, session);
    return session;
  }

  #requestOf({ request, shared }: FromStage & { type: "ask" }): Record<string, unknown> {
    const objects = Object.entries(shared).map(([name, key]) => {
      if (!this.#shared.has(key)) throw new Error(`internal: object ${key} was never sent`);
      return [name, this.#shared.get(key)] as const;
    });
    return { ...decodeCell(request) as Record<string, unknown>, ...Object.fromEntries(objects) };
  }
}

function undeclared(stage: string, service: string): string {
  return `stage "${stage}" asks the service "${service}", which its kind does not declare: ` +
    `add uses: ["${service}"]`;
}

function refusal(error: unknown): StageFault {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message, stack } = error;
  const diagnostics = error instanceof InputError ? error.diagnostics : undefined;
  const remedy = error instanceof MissingPartError ? error.remedy : undefined;
  return { name, message, stack, diagnostics, remedy };
}
