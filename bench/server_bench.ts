/**
 * Cost of the way to a server: requests of an oracle's process, and the same bodies by bare requests, eight
 * at a time, in turns. `deno run -A bench/server_bench.ts URL MODEL [PID]` wants `model add smollm2-135m`;
 * with the server's process the share of its processor time is said as well.
 */
import { openServer } from "../src/oracle/backends.ts";
import { inTurns } from "../src/oracle/server/in_turns.ts";
import { type ServerOptions, ServerScorer } from "../src/oracle/server/server_scorer.ts";
import type { OracleBackend, OracleDraw, ServerConfig } from "../src/oracle/oracle.ts";

const [url, model, pid] = Deno.args;
const [rounds, batch, concurrency] = [5, 16, 8];

const config: ServerConfig = {
  ...{ kind: "server", url, model, tokenizer: "smollm2-135m", max_concurrency: concurrency },
  ...{ retries: 2, timeout: 300, pause: 1, price: 0, tolerance: 1 },
};

/** Of each round another sixteen, so that no cache of either side knows them. */
const drawsOf = (prompt_ids: readonly number[], round: string): OracleDraw[] =>
  Array.from({ length: batch }, (_, i) => ({
    ...{ prompt_ids, end: null, most_tokens: 8, temperature: 1, seed: `${round} ${i}` },
  }));

/** The bodies that such draws post. */
async function bodiesOf(scorer: ServerScorer, draws: readonly OracleDraw[]) {
  const bodies: { readonly path: string; readonly body: string }[] = [];
  const own = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    bodies.push({ path: new URL(`${input}`).pathname, body: `${init?.body}` });
    return own(input, init);
  };
  await scorer.draw(draws);
  globalThis.fetch = own;
  return bodies;
}

/** Seconds of processor time of a process and its own children that have ended. */
function cpuOf(process: string): number {
  const fields = Deno.readTextFileSync(`/proc/${process}/stat`).split(") ")[1].split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

/** Processes that this one has started, and it itself. */
const clients = () => [
  `${Deno.pid}`,
  ...Deno.readTextFileSync(`/proc/${Deno.pid}/task/${Deno.pid}/children`).trim().split(" "),
];

const seconds = () =>
  [...new Set(clients())].filter((one) => one !== "").reduce((sum, one) => sum + cpuOf(one), 0);

async function timed(run: () => Promise<unknown>) {
  const began = [performance.now() / 1000, seconds(), pid === undefined ? 0 : cpuOf(pid)];
  await run();
  const ended = [performance.now() / 1000, seconds(), pid === undefined ? 0 : cpuOf(pid)];
  const [wall, client, server] = ended.map((one, i) => one - began[i]);
  return { wall, client, server };
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

const root = Deno.cwd();
const backend: OracleBackend = openServer(config, root);
const { max_concurrency: _, tokenizer: _t, kind: _k, tolerance: _l, ...address } = config;
const options: ServerOptions = { ...address, vocabulary: 49_152, concurrency };
const scorer = new ServerScorer(options);
try {
  const [{ ids }] = await backend.encode([{
    scored: "The capital of France is Paris.",
    ends: false,
  }]);
  await (backend as { identify?: () => Promise<unknown> }).identify?.();
  await scorer.identify({ text: "The capital of France is Paris.", ids });
  const found: {
    own: Awaited<ReturnType<typeof timed>>;
    bare: Awaited<ReturnType<typeof timed>>;
  }[] = [];
  for (let round = 0; round < rounds; round++) {
    const draws = drawsOf(ids, `round ${round}`);
    const bodies = await bodiesOf(scorer, draws); // either side has seen the prompt by then
    const bare = () =>
      inTurns(concurrency, bodies, async ({ path, body }) => {
        const headers = { "content-type": "application/json" };
        return await (await fetch(`${url}${path}`, { method: "POST", headers, body })).text();
      });
    const order = round % 2 === 0;
    const first = await timed(order ? () => backend.draw!(draws) : bare);
    const second = await timed(order ? bare : () => backend.draw!(draws));
    found.push(order ? { own: first, bare: second } : { own: second, bare: first });
  }
  const ratios = found.map(({ own, bare }) => bare.wall / own.wall);
  console.log(`${batch} answers of 8 tokens, ${concurrency} at a time, ${rounds} rounds in turns`);
  console.log(
    `seconds: ${found.map(({ own }) => own.wall.toFixed(2))}; bare ${
      found.map(({ bare }) => bare.wall.toFixed(2))
    }`,
  );
  console.log(
    `throughput of bare requests: median ${median(ratios).toFixed(3)}, ` +
      `${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`,
  );
  const share = found.map(({ own }) => own.client / (own.client + own.server));
  if (pid !== undefined) {
    console.log(`processor time on this side: ${(100 * median(share)).toFixed(1)} % of both sides`);
  }
} finally {
  await backend.close();
}
