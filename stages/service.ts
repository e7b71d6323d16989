/** Stage kind `service`: a command that serves while the run goes on, and is stopped with it. */
import { serverUrl, serviceCommand } from "../src/base/server_name.ts";
import { z } from "../src/base/zod.ts";
import { defineStage } from "../src/pipeline/contract/mod.ts";
import { port, ports } from "./ports/mod.ts";

const ofThisMachine = ["127.0.0.1", "localhost", "[::1]"];

export default defineStage({
  kind: "service",
  version: 1,
  description: "A command that serves a model: started at the first request, stopped with the run.",
  params: z.strictObject({
    command: serviceCommand()
      .describe("words of the command; {host}, {port} and {token} are filled in"),
    url: serverUrl().refine(
      (url) => ofThisMachine.includes(new URL(url).hostname) && new URL(url).port !== "",
      "wanted a host of this machine, with its port: http://127.0.0.1:8000",
    ).describe("URL at which it answers, on this machine: http://127.0.0.1:8000"),
    health: z.string().startsWith("/").default("/health")
      .describe("path that answers 200 when it is ready"),
    wait: z.number().positive().default(300).describe("seconds within which it must be ready"),
  }),
  inputs: {},
  outputs: { service: port(ports.service, "the service, for an oracle on it") },
  run(_context, _inputs, params) {
    return Promise.resolve({ service: params });
  },
});
