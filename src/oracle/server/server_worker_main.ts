/** The process that asks a server: its network is one host and port, its only input are ids. */
import { inputError } from "../../base/diagnostic.ts";
import type { OracleRequest } from "../messages.ts";
import { serve } from "../serve.ts";
import { type ServerOptions, ServerScorer } from "./server_scorer.ts";

const [written, keyName] = Deno.args;
const options: ServerOptions = JSON.parse(written);
let scorer: ServerScorer | undefined;

function opened(): ServerScorer {
  return scorer ??= new ServerScorer(keyName === undefined ? options : { ...options, key: key() });
}

function key(): string {
  const found = Deno.env.get(keyName);
  if (found) return found;
  const message = `Cannot ask ${options.url}: the variable ${keyName} is empty`;
  throw inputError("oracle/key", message, undefined, `set ${keyName} to the key, and run again`);
}

const answers = {
  train: () => Promise.reject(new Error("internal: an oracle trains nothing")),
  encode: () => Promise.reject(new Error("internal: a server's process reads no texts")),
  score: ({ asked }: OracleRequest & { op: "score" }) => opened().score(asked),
  draw: ({ asked }: OracleRequest & { op: "draw" }) => opened().draw(asked),
  probe: ({ asked }: OracleRequest & { op: "probe" }) => opened().probe(asked),
  adapt: async ({ asked }: OracleRequest & { op: "adapt" }) => {
    await opened().adapt(asked);
    return null;
  },
  identify: ({ asked }: OracleRequest & { op: "identify" }) => opened().identify(asked),
};

await serve((request) => {
  const answer = answers[request.op] as (request: OracleRequest) => Promise<unknown>;
  return answer(request);
});
