/** The process that asks one server: it may reach one host and port, and read one variable. */
import { inputError } from "../../base/diagnostic.ts";
import { hostOf } from "../../pipeline/contract/mod.ts";
import { homeFlags } from "../../pipeline/project/mod.ts";
import { OracleWorker } from "../worker.ts";

/** The variable in which the token of a service is handed on. */
const tokenVariable = "SLUICE_SERVICE_TOKEN";

/** Which process, and of which server. */
interface AskingOptions {
  /** URL, as the pipeline writes it. */
  readonly url: string;
  /** Its main module. */
  readonly main: string;
  /** Its first argument, as JSON. */
  readonly options: unknown;
  /** The variable that holds the key; none if left out. */
  readonly key?: string | undefined;
  /** Token of a service of the run, which admits its holders: sent where there is no other key. */
  readonly token?: string | undefined;
}

/** @throws InputError if a stage asks for a variable's value to be sent, and no stage of the pipeline names it. */
export function requireVariable(key: string | undefined, allowed: readonly string[] = []): void {
  if (key === undefined || allowed.includes(key)) return;
  const message = `Cannot send the variable ${key}: no stage has leave to use it`;
  const hint = "write it as key beside the url of the server, and allow it";
  throw inputError("oracle/variable", message, undefined, hint);
}

/** Started when it is first asked. */
export function askingWorker({ url, main, options, key, token }: AskingOptions): OracleWorker {
  const isGiven = key === undefined && token !== undefined;
  const variable = isGiven ? tokenVariable : key;
  return new OracleWorker({
    title: `the process that asks ${url}`,
    main,
    flags: [
      ...homeFlags(),
      `--allow-net=${hostOf(url)}`,
      ...(variable === undefined ? [] : [`--allow-env=${variable}`]),
    ],
    args: [JSON.stringify(options), ...(variable === undefined ? [] : [variable])],
    inherits: key !== undefined,
    ...(isGiven && { env: { [tokenVariable]: token } }),
  });
}
