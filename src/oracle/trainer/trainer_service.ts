/** Servers that train, as a service of pipelines: a process for each, which alone has the network. */
import { moduleBeside } from "../../base/deno_command.ts";
import { inputError } from "../../base/diagnostic.ts";
import { digestOf } from "../../base/digest.ts";
import type { TrainerConfig, TrainerRequest } from "../../models/training/mod.ts";
import { hostOf } from "../../pipeline/contract/mod.ts";
import type {
  OpenService,
  Service,
  ServiceCaller,
  ServiceSession,
} from "../../pipeline/contract/mod.ts";
import { askingWorker, requireVariable } from "../server/asking_worker.ts";
import type { OracleWorker } from "../worker.ts";

/** Milliseconds that a server has to let go of models when a run ends. */
const farewell = 10_000;

/** The service. Its answers are the server's; its questions follow from the policies' files. */
export function trainerService(): Service {
  return {
    name: "trainer",
    title: "the client of servers that train",
    digest: () => digestOf(["trainer", 1]),
    open: ({ hosts = [], variables }) => new TrainersOfRun(hosts, variables),
  };
}

class TrainersOfRun implements OpenService {
  readonly #workers = new Map<string, OracleWorker>();

  /**
   * @param hosts Servers that the user lets the pipeline's policies ask.
   * @param variables Those of their keys.
   */
  constructor(readonly hosts: readonly string[], readonly variables?: readonly string[]) {}

  session({ onProgress }: ServiceCaller): ServiceSession {
    const counts = { executed: 0, recalled: 0 };
    const answer = async (asked: unknown): Promise<unknown> => {
      const request = asked as TrainerRequest;
      const found = await this.#workerOf(request.trainer).ask("train", request);
      counts.executed++;
      onProgress();
      return found;
    };
    return { counts, answer };
  }

  /** @throws InputError if a stage asks a server, or sends a variable, that no policy of the pipeline names. */
  #workerOf(trainer: TrainerConfig): OracleWorker {
    const { url, key } = trainer;
    const host = hostOf(url);
    if (!this.hosts.includes(host)) {
      const message = `Cannot train on ${url}: no stage has leave to reach ${host}`;
      const hint = 'write it as url of policy = { kind = "tinker" }, and allow it';
      throw inputError("trainer/host", message, undefined, hint);
    }
    requireVariable(key, this.variables);
    const name = `${url} ${key}`;
    const worker = this.#workers.get(name) ?? workerFor(trainer);
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
  }
}

const main = moduleBeside("./trainer_worker_main.ts", import.meta.url);

function workerFor({ url, key, retries, timeout, pause }: TrainerConfig): OracleWorker {
  const root = url.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
  return askingWorker({ url, main, options: { url: root, retries, timeout, pause }, key });
}
