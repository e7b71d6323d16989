/** The services of a run: each is started once, and only if a stage of the pipeline names its command. */
import { join } from "node:path";
import { inputError } from "../../base/diagnostic.ts";
import { digestOf } from "../../base/digest.ts";
import type { ServiceProcess } from "../../base/service_process.ts";
import { shellWords } from "../../base/shell_words.ts";
import { hostOf } from "../../pipeline/contract/mod.ts";
import { ServiceKeeper } from "./service_keeper.ts";

/** Servers and commands that the user allowed. */
export interface AllowedServices {
  /** `host:port`. */
  readonly hosts: readonly string[];
  /** Commands as a shell reads them. */
  readonly commands: readonly string[];
  /** Folder of the run's logs. */
  readonly logs: string;
}

/** Keepers of runs in progress: oracles and trainers of one run may share a service. */
const open = new Map<string, ServiceKeepers>();

/** Starts and ends them. */
export class ServiceKeepers {
  readonly #keepers = new Map<string, ServiceKeeper>();
  #users = 0;

  private constructor(readonly allowed: AllowedServices) {}

  /** Keepers of a run, the same for all callers; each caller closes its own. */
  static ofRun({ hosts, commands, logs }: AllowedServices): ServiceKeepers {
    const key = digestOf([[...hosts], [...commands], logs]);
    const keepers = open.get(key) ?? new ServiceKeepers({ hosts, commands, logs });
    keepers.#users++;
    open.set(key, keepers);
    return keepers;
  }

  /** @throws InputError if no stage of the pipeline names this command, or reaches this host. */
  of(service: ServiceProcess): ServiceKeeper {
    this.requireHost(service.url, "a service");
    const command = shellWords(service.command);
    if (!this.allowed.commands.includes(command)) throw unnamedCommand(command);
    const key = digestOf({ ...service, command: [...service.command] });
    const log = join(this.allowed.logs, `service-${new URL(service.url).port}.log`);
    const keeper = this.#keepers.get(key) ?? new ServiceKeeper(service, log);
    this.#keepers.set(key, keeper);
    return keeper;
  }

  /**
   * @param what Setting that asks the host: `oracle = { kind = "server" }`.
   * @throws InputError if no stage of the pipeline reaches a host.
   */
  requireHost(url: string, what: string): void {
    const host = hostOf(url);
    if (this.allowed.hosts.includes(host)) return;
    const message = `Cannot ask ${url}: no stage has leave to reach ${host}`;
    throw inputError("server/host", message, undefined, `write it as url of ${what}, and allow it`);
  }

  /** Ends the services when they are no longer used. */
  async close(): Promise<void> {
    if (--this.#users > 0) return;
    for (const [key, one] of open) if (one === this) open.delete(key);
    await Promise.all([...this.#keepers.values()].map((keeper) => keeper.close()));
  }
}

function unnamedCommand(command: string) {
  const message = `Cannot start ${command}: no stage of kind service has leave to run it`;
  return inputError("server/command", message, undefined, "write it as command of such a stage");
}
