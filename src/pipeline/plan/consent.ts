/** Consent to permissions beyond those of built-in kinds, which a user gives to some stages. */
import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import { serverAsks } from "../contract/server_param.ts";
import type { ProjectLayout, SluiceHome } from "../project/project.ts";
import type { NativeBackend, PermissionName } from "../process/permissions.ts";
import { nativeBackendsOf, nativeGrants, permissionNames } from "../process/permissions.ts";
import type { ResolvedStage } from "../read/resolved.ts";
import { pluginsInReach } from "./plugins_in_reach.ts";
import type { PreparedStage } from "./preparation.ts";

/** One thing that a stage asks for. */
export interface Ask {
  /** Which permission. */
  readonly permission: PermissionName | "run" | "image";
  /** A path, a host, a variable's name, a command, an image of containers; `*` for all. Paths are absolute. */
  readonly value: string;
  /** True if it lies outside the project, or runs native code or a container: the user is asked. */
  readonly outside: boolean;
}

/** Permissions that one stage asks for. */
export interface StageAsks {
  /** Full name of the stage: `train`, or `train.sample` inside a loop. */
  readonly stage: string;
  /** Its kind as written: a path, or a built-in name. */
  readonly kind: string;
  /** Folder of the project. */
  readonly project: string;
  /** SHA-256 of all code that runs with these permissions; empty before it was read. */
  readonly module: string;
  /** In the order of permissions. */
  readonly asks: readonly Ask[];
  /** Where the stage is written. */
  readonly span?: ResolvedStage["span"];
}

/**
 * Whether a user has said yes to all that a stage asks for outside its project. Asked once for each
 * stage that does, before anything of the pipeline runs.
 */
export type Consent = (asks: StageAsks) => boolean | Promise<boolean>;

/**
 * Permissions that the stages of a pipeline ask for, inner stages of loops included; stages that
 * ask for none are left out.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { fileURLToPath } from "node:url";
 * import { builtInKindFile, builtInKinds } from "../../../stages/mod.ts";
 * import { findSluiceHome, projectLayout } from "../project/project.ts";
 * import { readPipeline } from "../process/read_pipeline.ts";
 * import { asksOf } from "./consent.ts";
 * const files = { readText: () => Promise.resolve('format = 1\n[stages.grid]\nkind = "hypergrid"\n') };
 * const pipeline = await readPipeline({ path: "grid.toml", kinds: builtInKinds, files });
 * const file = (kind: string) => fileURLToPath(builtInKindFile(kind));
 * const options = { projectRoot: Deno.cwd(), builtInKindFile: file };
 * const asks = asksOf(pipeline.stages, projectLayout(options.projectRoot), findSluiceHome());
 * assert.deepEqual(asks, []); // nothing outside what built-in kinds may
 * ```
 *
 * @param trusted folders outside the project that count as inside, because the user trusts them.
 */
export function asksOf(
  stages: readonly ResolvedStage[],
  layout: ProjectLayout,
  home: SluiceHome,
  prepared: ReadonlyMap<string, PreparedStage> = new Map(),
  trusted: readonly string[] = [],
): StageAsks[] {
  const plugins = pluginsInReach(stages);
  const native = nativeBackendsOf(stages);
  const place = new Place(layout.root, home.root, trusted);
  return stages.flatMap((top) => {
    const { modules: module = "", files = [] } = prepared.get(top.name) ?? {};
    const units = [top, ...top.loop?.stages ?? []];
    const isOwn = units.some(({ kindPath }) => kindPath) || plugins.get(top.name)!.length > 0;
    const code = [
      ...place.foreignCode(files)
        .map((value): Ask => ({ permission: "read", value, outside: true })),
      ...(isOwn ? besideNative(units, native, home) : []),
    ];
    return units.map((unit): StageAsks => ({
      stage: unit.name,
      kind: unit.kind,
      project: layout.root,
      module,
      asks: distinct([...asksOfUnit(unit, place), ...(unit === top ? code : [])]),
      get span() {
        return unit.span ?? top.span;
      },
    })).filter(({ asks }) => asks.length > 0);
  });
}

function asksOfUnit(unit: ResolvedStage, place: Place): Ask[] {
  const { declaration, files } = unit;
  const declared = permissionNames.flatMap((permission) =>
    (declaration.permissions?.[permission] ?? []).map((written): Ask => {
      const isPath = permission === "read" || permission === "ffi";
      const value = isPath && written !== "*" ? resolve(place.project, written) : written;
      const inside = permission === "read" && value !== "*" && place.isInside(value);
      return { permission, value, outside: !inside };
    })
  );
  const named = files.filter(({ path }) => !place.isNamedInside(path) && !place.isOwn(path))
    .map(({ path }): Ask => ({ permission: "read", value: path, outside: true }));
  const servers = serverAsks(unit).map((one): Ask => ({ ...one, outside: true }));
  return [...declared, ...servers, ...named];
}

/** Permissions that the user's code gains because a native library is loaded into its process. */
function besideNative(
  units: readonly ResolvedStage[],
  native: readonly NativeBackend[],
  home: SluiceHome,
): Ask[] {
  if (!units.some(({ declaration }) => declaration.tensors)) return [];
  return native.flatMap((backend) =>
    (["ffi", "env", "sys"] as const).flatMap((permission) =>
      nativeGrants(home)[backend][permission]
        .map((value): Ask => ({ permission, value, outside: true }))
    )
  );
}

function distinct(asks: readonly Ask[]): Ask[] {
  return [...new Map(asks.map((ask) => [askText(ask), ask])).values()];
}

/** Where paths lie; links are followed, of each path once: stages share most of theirs. */
class Place {
  readonly #home: string;
  readonly #own: readonly string[];
  readonly #foreign = new Map<string, boolean>();
  readonly #foreignOf = new Map<readonly string[], readonly string[]>();
  readonly #followed = new Map<string, string>();

  constructor(readonly project: string, home: string, trusted: readonly string[]) {
    this.#own = [project, ...trusted].map(followed);
    this.#home = followed(home);
  }

  /** In the project's folder, or in one that the user trusts. */
  isInside(path: string): boolean {
    const real = this.#follow(path);
    return this.#own.some((folder) => isBelow(folder, real));
  }

  #follow(path: string): string {
    const known = this.#followed.get(path) ?? followed(path);
    this.#followed.set(path, known);
    return known;
  }

  /** Likewise, but that links which leave the project are refused where the file is read. */
  isNamedInside(path: string): boolean {
    return this.isInside(path) || isBelow(this.project, path);
  }

  /** Outside as it is written; where a link of the project may end, `refuseLinksOutside` decides. */
  isNamedOutside(path: string): boolean {
    return !isBelow(this.project, path) && !this.isInside(path);
  }

  /** A file that Sluice brings. */
  isOwn(path: string): boolean {
    return isBelow(this.#home, this.#follow(path));
  }

  /** The foreign ones among files of code; stages of one entry share the list. */
  foreignCode(files: readonly string[]): readonly string[] {
    const known = this.#foreignOf.get(files) ?? files.filter((path) => this.isForeignCode(path));
    this.#foreignOf.set(files, known);
    return known;
  }

  /** Code, or a file imported as text, from elsewhere than the project, Sluice and their packages. */
  isForeignCode(path: string): boolean {
    const known = this.#foreign.get(path);
    if (known !== undefined) return known;
    const foreign = !this.isInside(path) && !this.isOwn(path) && !this.#isPackaged(path);
    this.#foreign.set(path, foreign);
    return foreign;
  }

  /** In the packages of the project or of Sluice, which may lie in a folder above. */
  #isPackaged(path: string): boolean {
    const at = path.search(/[\\/]node_modules[\\/]/);
    if (at < 0) return false;
    const owner = path.slice(0, at);
    return isBelow(owner, this.project) || isBelow(owner, this.#home);
  }
}

/** A path without links, as far as it exists. */
function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path); // not there
  }
}

function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === "" || (!inside.startsWith("..") && !isAbsolute(inside));
}

/**
 * `read:/etc/hosts`, as the flag writes it.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { askText } from "./consent.ts";
 * assert.equal(askText({ permission: "read", value: "/etc/hosts" }), "read:/etc/hosts");
 * ```
 */
export function askText({ permission, value }: Pick<Ask, "permission" | "value">): string {
  return `${permission}:${value}`;
}

/**
 * Asks in text, as {@link askText} writes them, with commas between them.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { readAsks } from "./consent.ts";
 * assert.deepEqual(readAsks("read:/data,net:example.org"), [
 *   { permission: "read", value: "/data" },
 *   { permission: "net", value: "example.org" },
 * ]);
 * ```
 *
 * @throws RangeError for a part that is none.
 */
export function readAsks(text: string): Pick<Ask, "permission" | "value">[] {
  const names = [...permissionNames, "run", "image"].join("|");
  return text.split(new RegExp(`,(?=(?:${names}):)`)).map((part) => {
    const [, permission, value] = new RegExp(`^(${names}):(.+)$`, "s").exec(part) ?? [];
    if (permission === undefined) throw new RangeError(part);
    return { permission: permission as Ask["permission"], value };
  });
}

/**
 * Whether granted permissions cover one that is asked for: the same, all (`*`), or a folder above it.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { isGranted } from "./consent.ts";
 * const ask = { permission: "net", value: "example.org" } as const;
 * assert(isGranted([{ permission: "net", value: "*" }], ask));
 * assert(!isGranted([{ permission: "read", value: "*" }], ask));
 * ```
 */
export function isGranted(
  granted: readonly Pick<Ask, "permission" | "value">[],
  ask: Pick<Ask, "permission" | "value">,
): boolean {
  return granted.some(({ permission, value }) => {
    if (permission !== ask.permission) return false;
    if (value === "*" || value === ask.value) return true;
    const isPath = permission === "read" || permission === "ffi";
    return isPath && ask.value !== "*" && isBelow(followed(value), followed(ask.value));
  });
}

/**
 * The flag that grants all permissions of a stage outside its project.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { consentFlag } from "./consent.ts";
 * const asks = [{ permission: "read", value: "/data", outside: true }];
 * assert.equal(consentFlag({ stage: "fetch", asks } as never), "--allow-stage fetch=read:/data");
 * ```
 */
export function consentFlag({ stage, asks }: StageAsks): string {
  const text = `${stage}=${asks.filter(({ outside }) => outside).map(askText).join(",")}`;
  return `--allow-stage ${
    /^[\w./:=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
  }`;
}

/**
 * `read /etc/hosts, net *`; paths below the project as seen from it.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { describeAsks } from "./consent.ts";
 * const asks = [{ permission: "net", value: "example.org", outside: true }];
 * assert.equal(describeAsks({ asks, project: "/project" } as never), "net example.org");
 * ```
 */
export function describeAsks({ asks, project }: StageAsks): string {
  const shown = asks.map(({ permission, value, outside }) => {
    const isPath = permission === "read" || permission === "ffi";
    return `${permission} ${isPath && !outside ? relative(project, value) || "." : value}`;
  });
  return shown.join(", ");
}

/**
 * Asks for consent where a stage wants something outside the project.
 *
 * @throws InputError `consent/needed`, with a finding for each stage that has none.
 */
export async function requireConsent(
  asked: readonly StageAsks[],
  consent: Consent = () => false,
): Promise<void> {
  const findings: Diagnostic[] = [];
  for (const one of asked) {
    if (!one.asks.some(({ outside }) => outside) || await consent(one)) continue;
    findings.push(refusal(one));
  }
  if (findings.length > 0) throw new InputError(findings);
}

function refusal(one: StageAsks): Diagnostic {
  const outside = one.asks.filter((ask) => ask.outside);
  const what = describeAsks({ ...one, asks: outside });
  return {
    code: "consent/needed",
    severity: "error",
    message:
      `Cannot run stage "${one.stage}": its kind ${one.kind} (code ${one.module.slice(0, 12)}) ` +
      `asks for ${what}, outside the project`,
    span: one.span,
    hint: `if it may, say so once: ${consentFlag(one)}`,
  };
}
