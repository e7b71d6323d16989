/** The user's yes to what stages ask for outside the project: by flag, on a terminal, or as before. */
import { join } from "node:path";
import { writeAtomic } from "../base/atomic.ts";
import { inputError } from "../base/diagnostic.ts";
import { isRecord } from "../base/record.ts";
import { userFolder } from "../base/user_folder.ts";
import {
  type Ask,
  askText,
  type Consent,
  describeAsks,
  isGranted,
  readAsks,
  type StageAsks,
} from "../pipeline/plan/mod.ts";
import type { Terminal } from "../report/terminal.ts";

/** Permissions that the user gave to some code in some project. */
interface Allowed {
  readonly module: string;
  readonly project: string;
  readonly kind: string;
  /** As `askText` writes them. */
  readonly grants: readonly string[];
}

type Granted = Pick<Ask, "permission" | "value">[];

/** Permissions of `--allow-stage`, by stage. */
type AllowedStages = ReadonlyMap<string, Granted>;

/**
 * Reads `NAME=read:/path,net:host`, once for each stage.
 *
 * @throws InputError for a flag of another form.
 */
export function readAllowStage(flags: readonly string[]): AllowedStages {
  const found = new Map<string, Granted>();
  for (const flag of flags) {
    const at = flag.indexOf("=");
    try {
      const asks = readAsks(flag.slice(at + 1));
      if (at < 1) throw new RangeError(flag);
      const stage = flag.slice(0, at);
      found.set(stage, [...found.get(stage) ?? [], ...asks]);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const hint = "write --allow-stage NAME=read:/path,net:host,env:NAME";
      const message = `Cannot read --allow-stage ${flag}: no stage, or no permission`;
      throw inputError("cli/allow-stage", message, undefined, hint);
    }
  }
  return found;
}

/** Where a user's consents are kept: in the user's own folder, which no repository can bring. */
export function consentFiles(): string[] {
  const folder = userFolder();
  return folder === undefined ? [] : [join(folder, "consent.json")];
}

/** How a user is asked. */
interface ConsentOptions {
  readonly allowed: AllowedStages;
  /** Where a yes is kept, by preference. */
  readonly files: readonly string[];
  readonly terminal: Terminal;
  /** Asks a question on a terminal; absent without a terminal. */
  readonly ask?: (question: string) => boolean;
}

/**
 * Grants permissions where the flags do, where the user has granted them before to the same code in
 * the same project, or does so now. A new grant is kept, and holds until the code changes.
 */
export function userConsent({ allowed, files, terminal, ask }: ConsentOptions): Consent {
  const kept = files.flatMap(readConsents);
  return (asked) => {
    const outside = asked.asks.filter((one) => one.outside);
    const isCovered = (granted: Granted) => outside.every((one) => isGranted(granted, one));
    if (isCovered(keptFor(kept, asked))) return true;
    const flags = [...allowed].filter(([name]) => `${asked.stage}.`.startsWith(`${name}.`));
    const byFlag = isCovered(flags.flatMap(([, granted]) => granted));
    if (!byFlag && !ask?.(question({ ...asked, asks: outside }))) return false;
    const { module, project, kind } = asked;
    kept.push({ module, project, kind, grants: outside.map(askText) });
    keep(files, kept, terminal);
    return true;
  };
}

function keptFor(kept: readonly Allowed[], { module, project }: StageAsks): Granted {
  return kept.filter((one) => one.module === module && one.project === project)
    .flatMap(({ grants }) => grants.flatMap((grant) => readAsks(grant)));
}

function question(asked: StageAsks): string {
  return `Stage "${asked.stage}" (${asked.kind}) asks for ${describeAsks(asked)}, outside the ` +
    "project. Allow it, now and until its code changes?";
}

function keep(files: readonly string[], kept: readonly Allowed[], terminal: Terminal): void {
  let reason = "you have no home folder";
  for (const file of files) {
    try {
      return writeAtomic(file, JSON.stringify({ format: 1, allowed: kept }, null, 2) + "\n");
    } catch (error) {
      reason = error instanceof Error ? error.message : `${error}`;
    }
  }
  terminal.note(`allowed for this run only: ${reason}`);
}

/** Permissions on file; none, if the file is not there or is none of Sluice's. */
function readConsents(file: string): Allowed[] {
  try {
    const json: unknown = JSON.parse(Deno.readTextFileSync(file));
    if (!isRecord(json) || json.format !== 1 || !Array.isArray(json.allowed)) return [];
    return json.allowed.filter(isAllowed);
  } catch {
    return [];
  }
}

function isAllowed(one: unknown): one is Allowed {
  if (!isRecord(one) || !Array.isArray(one.grants)) return false;
  const texts = [one.module, one.project, one.kind, ...one.grants];
  return texts.every((text) => typeof text === "string") && one.grants.every(isReadable);
}

function isReadable(grant: string): boolean {
  try {
    return readAsks(grant).length === 1;
  } catch {
    return false;
  }
}
