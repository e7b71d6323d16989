/** Oracles as artifacts: their records. */
import type { OracleRecord } from "../../src/oracle/oracle.ts";
import { jsonPort } from "./json_codec.ts";

/** What says how probable texts are. */
export const oracleType = jsonPort<OracleRecord, OracleRecord>("oracle", (v) => v, (v) => v);
