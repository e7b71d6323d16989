/** Namespaces: the arguments of bubblewrap that put a process into a world of its own. */
import type { PathRule } from "./landlock.ts";

/** A file or folder of the host, and where the confined program finds it. */
export interface Binding extends PathRule {
  /** Path inside; at level L2, which has no inside, the path is the host's. */
  readonly inside: string;
}

/** Contents of the world, the files that are bound into it first. */
export interface World {
  readonly bindings: readonly Binding[];
  /** Symbolic links, as pairs of place and target. */
  readonly links?: readonly (readonly [place: string, target: string])[];
  /** Bytes of `/tmp`, kept in memory and gone afterwards; without it nothing can be written. */
  readonly scratchBytes?: number;
}

/** Where the launcher lies inside. */
export const insideLauncher = "/launch";

/** An option, with the attack that it stops: leave it out and the attack succeeds. */
interface NamespaceOption {
  readonly args: readonly string[];
  readonly attack: string;
}

/**
 * Options for every program. Root needs no user namespace: the launcher makes it another user
 * inside, and takes all capabilities away. There is nothing to be done about variables, sessions and
 * descriptors: bubblewrap is started without any, by a process that leads a session of its own.
 */
export function namespaceOptions(asRoot: boolean): readonly NamespaceOption[] {
  return [
    ...(asRoot ? [] : [{ args: ["--disable-userns"], attack: "KX-01a" }]),
    { args: ["--unshare-pid", "--as-pid-1"], attack: "PX-19" },
    { args: ["--unshare-net"], attack: "NW-01" },
    { args: ["--unshare-ipc"], attack: "KX-04e" },
    { args: ["--unshare-uts", "--hostname", "sandbox"], attack: "EN-07" },
    { args: ["--die-with-parent"], attack: "SG-07" },
  ];
}

/** Gives a user other than root the right to all the other namespaces. */
const userNamespace = ["--unshare-user", "--uid", "65534", "--gid", "65534"];

/** Comes last: bindings and mounts before it need a root that can be written to. */
const readOnlyRoot = ["--remount-ro", "/"];

/** All arguments but those left out: options, the world, read-only at the end, the launcher to run. */
export function bubblewrapArguments(
  world: World,
  launcher: string,
  asRoot: boolean,
  without: readonly string[] = [],
): string[] {
  const { bindings, links = [], scratchBytes } = world;
  const bind = ({ path, inside, kind }: Binding) => [
    kind === "device" ? "--dev-bind" : "--ro-bind",
    path,
    inside,
  ];
  return [
    ...(asRoot ? [] : userNamespace),
    ...namespaceOptions(asRoot).filter(({ args }) => !without.includes(args[0]))
      .flatMap(({ args }) => args),
    ...(scratchBytes === undefined ? [] : scratch(scratchBytes)),
    ...parents([...bindings.map(({ inside }) => inside), ...links.map(([place]) => place)]).flatMap(
      (folder) => ["--perms", "0755", "--dir", folder],
    ),
    ...bindings.flatMap(bind),
    ...["--ro-bind", launcher, insideLauncher],
    ...links.flatMap(([place, target]) => ["--symlink", target, place]),
    ...(without.includes(readOnlyRoot[0]) ? [] : readOnlyRoot),
    ...["--chdir", scratchBytes === undefined ? "/" : "/tmp"],
    ...["--", insideLauncher],
  ];
}

/** Folders above the bound paths, from the top: bubblewrap's own would be closed to other users. */
function parents(paths: readonly string[]): string[] {
  const above = paths.flatMap((path) => {
    const names = path.split("/").slice(1, -1);
    return names.map((_, i) => `/${names.slice(0, i + 1).join("/")}`);
  });
  return [...new Set(above)].sort();
}

/** Everybody may write: the program's user is the only one there is. */
function scratch(bytes: number): string[] {
  return ["--size", `${bytes}`, "--perms", "1777", "--tmpfs", "/tmp"];
}
