/** Oracles as artifacts: their records. */
import type { OracleRecord } from "../../src/oracle/oracle.ts";
import { jsonPort } from "./json_codec.ts";

/** Model that gives log probabilities of texts. */
export const oracleType = jsonPort<OracleRecord, OracleRecord>("oracle", (v) => v, (v) => v);
