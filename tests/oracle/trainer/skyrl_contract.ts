/**
 * SkyRL-tx as a server that trains, beside the own decoder, by `deno task contract:skyrl`. It wants
 * `python3` of 3.11 with `venv` and loads some 2 GB: `SKYRL_ENV=FOLDER` names an environment that is
 * there already. Its model is the random tiny one, or with `SLUICE_MODEL=smollm2-135m` one of the
 * project; each new length of texts is compiled, so that most of the time is spent there.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { ModelStore } from "../../../src/models/store/mod.ts";
import type { TrainedModel } from "../../../src/models/training/trained_model.ts";
import { temporaryFolder } from "../../temporary_folder.ts";
import { adapted, publishModel } from "../published_model.ts";
import { PythonServer, pythonWith } from "../python_server.ts";
import { RecordingProxy, ReplayServer } from "../recording.ts";
import {
  adapter,
  requireAsLocal,
  skyrlExchanges,
  skyrlTraffic,
  tinyModel,
  trainAt,
  trainerDrift,
} from "./trainer_talk.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const port = 8232;
const wheels = [
  ...["skyrl-tx[tinker]==0.3.0", "transformers<5", "jax>=0.8,<1", "flax", "optax"],
  ...["tinker==0.15.0", "torch"],
];

/** It starts its engine by `uv run`, which wants a project of its own. */
const shim = (python: string) =>
  `#!/bin/sh
while [ "$1" != "-m" ]; do shift; done
exec ${python} "$@"
`;

/** The weights, as a folder that transformers 4 reads, and as the own decoder has them. */
function modelIn(folder: string, name: string | undefined): TrainedModel {
  const local = name === undefined ? tinyModel(folder) : adapted(new ModelStore(root), name);
  if (name !== undefined) publishModel(new ModelStore(root), name, folder);
  // Transformers 4 knows no other class, whatever the model says of itself.
  const settings = JSON.stringify({ tokenizer_class: "PreTrainedTokenizerFast" });
  Deno.writeTextFileSync(join(folder, "tokenizer_config.json"), settings);
  return local;
}

function serverOf(folder: string, python: string, base: string): PythonServer {
  const bin = join(folder, "bin");
  Deno.mkdirSync(bin);
  Deno.writeTextFileSync(join(bin, "uv"), shim(python), { mode: 0o755 });
  const settings = {
    ...{ max_lora_adapters: 4, max_lora_rank: adapter.rank, train_micro_batch_size: 1 },
    ...{ sample_max_num_sequences: 1 },
  };
  const command = [
    ...[python, "-m", "tx.tinker.api", "--base-model", base, "--host", "127.0.0.1"],
    ...["--port", `${port}`, "--checkpoints-base", join(folder, "kept")],
    ...["--backend-config", JSON.stringify(settings)],
  ];
  return new PythonServer(join(folder, "log"), command, {
    ...{ TX_DATABASE_URL: `sqlite:///${join(folder, "tinker.db")}`, JAX_PLATFORMS: "cpu" },
    ...{ HF_HUB_OFFLINE: "1", PATH: `${bin}:${Deno.env.get("PATH")}` },
  });
}

Deno.test({
  name: "SkyRL-tx trains an adapter as the own decoder does, and as it did when it was recorded",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const folder = temporaryFolder();
    const python = await pythonWith("SKYRL_ENV", folder, { wheels });
    const name = Deno.env.get("SLUICE_MODEL");
    const base = join(folder, "base");
    const local = modelIn(base, name);
    await using server = serverOf(folder, python, base);
    const url = `http://127.0.0.1:${port}`;
    try {
      await server.ready(`${url}/api/v1/healthz`, 300);
      await using proxy = new RecordingProxy(url, folder);
      const talk = await trainAt({ url: proxy.url, base, config: local.config });
      await requireAsLocal(talk, local);
      if (name !== undefined) return;
      if (Deno.env.get("SLUICE_RECORD") === "1") {
        Deno.writeTextFileSync(skyrlTraffic, `${JSON.stringify(proxy.exchanges, null, 1)}\n`);
      }
      await using replay = new ReplayServer(skyrlExchanges());
      const asked = { url: replay.url, base: "base", config: local.config };
      const drift = trainerDrift(talk, await trainAt(asked));
      console.log(`drift from the recording: ${drift} nats a token`);
      assert.ok(drift < 1e-3, "it answers otherwise: SLUICE_RECORD=1 records it again");
    } catch (error) {
      console.log(server.said);
      throw error;
    }
  },
});
