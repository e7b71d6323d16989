/** Servers that train, as a service of pipelines: a process for each, which alone has the network. */
import { moduleBeside } from "../../base/deno_command.ts";
import { digestOf } from "../../base/digest.ts";
import type { TrainerConfig, TrainerRequest } from "../../models/training/mod.ts";
import type {
  OpenService,
  Service,
  ServiceCaller,
  ServiceSession,
} from "../../pipeline/contract/mod.ts";
import { askingWorker, requireVariable } from "../server/asking_worker.ts";
import { ServiceKeepers } from "../server/service_keepers.ts";
import type { OracleWorker } from "../worker.ts";

/** Milliseconds that a server has to release models when a run ends. */
const farewell = 10_000;

/** The service. Its answers are the server's; its questions follow from the policies' files. */
export function trainerService(): Service {
  return {
    name: "trainer",
    title: "the client of servers that train",
    digest: () => digestOf(["trainer", 1]),
    open: ({ hosts = [], variables = [], commands = [], logs = "." }) =>
      new TrainersOfRun(ServiceKeepers.ofRun({ hosts, commands, logs }), variables),
  };
}

class TrainersOfRun implements OpenService {
  readonly #workers = new Map<string, OracleWorker>();

  /**
   * @param keepers Of servers that the user lets the pipeline's policies ask, and of those that it starts.
   * @param variables Those of their keys.
   */
  constructor(readonly keepers: ServiceKeepers, readonly variables: readonly string[]) {}

  session({ onProgress }: ServiceCaller): ServiceSession {
    const counts = { executed: 0, recalled: 0 };
    const answer = async (asked: unknown): Promise<unknown> => {
      const request = asked as TrainerRequest;
      const worker = await this.#workerOf(request.trainer);
      const found = await worker.ask("train", request);
      counts.executed++;
      onProgress();
      return found;
    };
    return { counts, answer };
  }

  /**
   * The process that asks a server, which answers by then if this run starts it.
   *
   * @throws InputError if a stage asks a server, sends a variable, or starts a command that no stage of the
   * pipeline names; MissingPartError if the command does not serve.
   */
  async #workerOf(trainer: TrainerConfig): Promise<OracleWorker> {
    const { url, key, service } = trainer;
    this.keepers.requireHost(url, 'policy = { kind = "tinker" }');
    requireVariable(key, this.variables);
    const keeper = service && this.keepers.of(service);
    await keeper?.ready();
    const name = `${url} ${key}`;
    const worker = this.#workers.get(name) ?? workerFor(trainer, keeper?.token);
    this.#workers.set(name, worker);
    return worker;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers.values()].map(async (worker) => {
      const gone = new AbortController();
      const late = new Promise((done) => {
        const timer = setTimeout(done, farewell);
        gone.signal.onabort = () => clearTimeout(timer);
      });
      await Promise.race([worker.ask("train", null).catch(() => {}), late]);
      gone.abort();
      await worker.close();
    }));
    await this.keepers.close();
  }
}

const main = moduleBeside("./trainer_worker_main.ts", import.meta.url);

function workerFor(
  { url, key, retries, timeout, pause }: TrainerConfig,
  token: string | undefined,
): OracleWorker {
  const root = url.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
  return askingWorker({ url, main, options: { url: root, retries, timeout, pause }, key, token });
}
