/** The process that asks a server which trains: its network is one host and port, its only input are ids. */
import { inputError } from "../../base/diagnostic.ts";
import type { TrainerRequest } from "../../models/training/mod.ts";
import type { OracleRequest } from "../messages.ts";
import { serve } from "../serve.ts";
import type { ServerAddress } from "../server/ask_server.ts";
import { TinkerServer } from "./tinker_server.ts";
import { TrainedModels } from "./trained_models.ts";

const [written, keyName] = Deno.args;
const address: ServerAddress = JSON.parse(written);
let models: TrainedModels | undefined;

function opened(): TrainedModels {
  const key = keyName === undefined ? {} : { key: keyOf(keyName) };
  return models ??= new TrainedModels(new TinkerServer({ ...address, ...key }));
}

function keyOf(name: string): string {
  const found = Deno.env.get(name);
  if (found) return found;
  const message = `Cannot train on ${address.url}: the variable ${name} is empty`;
  throw inputError("trainer/key", message, undefined, `set ${name} to the key, and run again`);
}

await serve(async (request: OracleRequest) => {
  const asked = request.asked as TrainerRequest | null;
  if (asked !== null) return await opened().answer(asked);
  await models?.close();
  return null;
}, async () => await models?.close());
