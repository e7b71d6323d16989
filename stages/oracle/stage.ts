/** Runs the stage kind `oracle`: has it opened and tried, and writes down what it is. */
import type { OpenedOracle } from "../../src/oracle/service.ts";
import type { OracleConfig } from "../../src/oracle/oracle.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { atParameter } from "../common/at_parameter.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async run(context, { service }, { oracle: asked }) {
    const { readTableOracle } = await import("./read_table.ts");
    const { servedBy } = await import("../common/served_by.ts");
    const config: OracleConfig = asked.kind === "table"
      ? { kind: "table", entries: await readTableOracle(asked.path) }
      : asked.kind === "server"
      ? servedBy(asked, service)
      : asked;
    const opened = await context.ask<OpenedOracle>("oracle", { op: "open", oracle: config });
    const { record, probe, permissions, instead, distance } = opened;
    if (instead !== undefined) context.log(`own kernels compute: ${instead}`, "warning");
    const { largest_difference: difference, tokens } = probe;
    const from = record.server ? "apart, asked twice and in parts" : "from its full distribution";
    context.log(
      `${record.model} by ${record.computes}: tried on ${tokens} tokens, at most ` +
        `${difference.toExponential(1)} nats ${from}`,
    );
    if (distance) {
      context.log(
        `compared with "${distance.model}" of this project on ${distance.tokens} tokens, ` +
          `${distance.seconds.toFixed(2)} s: ${
            distance.mean.toExponential(1)
          } nats a token away, ` +
          `at most ${distance.largest.toExponential(1)}`,
      );
    }
    if (permissions) context.log(`its process has ${permissions}`);
    context.rows("oracle", [{
      kind: config.kind,
      model: record.model,
      model_sha256: record.model_sha256,
      computes: record.computes,
      begin_id: record.begin?.id,
      begin_token: record.begin?.token,
      begin_is_added: record.begin_is_added,
      system_text: record.system_text,
      end_id: record.end?.id,
      end_token: record.end?.token,
      chat_template: record.chat_template,
      probe,
      permissions,
    }]);
    return { oracle: record };
  },
  async check({ params: { oracle }, inputs, unknown }) {
    const { requireService } = await import("../common/served_by.ts");
    requireService(oracle, inputs.service !== undefined || unknown.has("service"));
    if (oracle.kind !== "table") return {};
    const { readTableOracle } = await import("./read_table.ts");
    await atParameter(["oracle", "path"], () => readTableOracle(oracle.path));
    return {};
  },
});
