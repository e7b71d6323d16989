/** The services of a run, each opened when the first stage asks it. */
import type { OpenService, Service, ServiceCheck, ServiceRun } from "../contract/service.ts";

/** Services that all stages of a run share. */
export class OpenServices {
  readonly #open = new Map<string, OpenService>();

  constructor(readonly known: ReadonlyMap<string, Service>, readonly run: ServiceRun) {}

  /** The service of this name; the plan has seen to it that there is one. */
  get(name: string): OpenService {
    const service = this.known.get(name);
    if (!service) throw new Error(`internal: there is no service "${name}"`);
    const open = this.#open.get(name) ?? service.open(this.run);
    this.#open.set(name, open);
    return open;
  }

  /** Checks of all services, once all stages are done. */
  checks(): ServiceCheck[] {
    return [...this.#open.values()].flatMap((service) => service.checks?.() ?? []);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((service) => service.close()));
  }
}
