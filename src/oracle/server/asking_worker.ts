/** The process that asks one server: it may reach one host and port, and read one variable. */
import { inputError } from "../../base/diagnostic.ts";
import { hostOf } from "../../pipeline/contract/mod.ts";
import { homeFlags } from "../../pipeline/project/mod.ts";
import { OracleWorker } from "../worker.ts";

/** Which process, and of which server. */
interface AskingOptions {
  /** As the pipeline writes it. */
  readonly url: string;
  /** Its main module. */
  readonly main: string;
  /** Its first argument, as JSON. */
  readonly options: unknown;
  /** The variable that holds the key; none if left out. */
  readonly key?: string | undefined;
  /** A variable that it gets instead, with its value. */
  readonly given?: readonly [name: string, value: string] | undefined;
}

/** @throws InputError if a stage asks for a variable's value to be sent, and no stage of the pipeline names it. */
export function requireVariable(key: string | undefined, allowed: readonly string[] = []): void {
  if (key === undefined || allowed.includes(key)) return;
  const message = `Cannot send the variable ${key}: no stage has leave to use it`;
  const hint = "write it as key beside the url of the server, and allow it";
  throw inputError("oracle/variable", message, undefined, hint);
}

/** Started when it is first asked. */
export function askingWorker({ url, main, options, key, given }: AskingOptions): OracleWorker {
  const variable = key ?? given?.[0];
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
    ...(key === undefined && given && { env: { [given[0]]: given[1] } }),
  });
}
