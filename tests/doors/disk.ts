/** Attacks through `.sluice` of a project that came from elsewhere: memo, seals, claims, history. */
import { Buffer } from "node:buffer";
import { generateKeyPairSync, sign } from "node:crypto";
import { dirname, join } from "node:path";
import { sha256 } from "../../src/base/digest.ts";
import type { Sealer } from "../../src/base/seal.ts";
import { Claims, Owner } from "../../src/pipeline/store/claims.ts";
import { recordOf } from "../../src/executor/memo/index_file.ts";
import { keyOfHash } from "../../src/executor/memo/hash_index.ts";
import { encodeLine, headerLine } from "../../src/executor/memo/line.ts";
import { Memo, type MemoKey } from "../../src/executor/memo/memo.ts";
import { projectLayout } from "../../src/pipeline/project/project.ts";
import { changedParts } from "../../src/pipeline/plan/fingerprint.ts";
import { History } from "../../src/pipeline/plan/history.ts";
import { schedule } from "../executor/fake.ts";
import { scored } from "../executor/scored.ts";
import { type Door, inScratch } from "./attack.ts";

const key: MemoKey = { datasetDigest: "d", engineDigest: "e", schedule };
const [mine, other] = [sha256("mine"), sha256("other")];
const great = scored({
  elpdLoo: -0.003,
  elpdReward: -0.003,
  elpdPointwise: [-0.001, -0.001, -0.001],
});

/** A key that is not trusted yet. */
function newSealer(): Sealer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const keyId = publicKey.export({ type: "spki", format: "der" }).toString("hex").slice(-64);
  const seal = (text: string) => sign(null, Buffer.from(text), privateKey).toString("hex");
  return { keyId, ofProject: false, seal };
}

/** A memo's answer for a program after an attack on its folder; the key is the project's user's. */
function believed(
  attack: (at: { folder: string; memo: string; sealer: Sealer; root: string }) => void,
  of: MemoKey = key,
): Promise<string> {
  return inScratch((root) => {
    const sealer = newSealer();
    const first = Memo.open(root, key, { sealer, trustedKeys: [] });
    first.put(other, scored({}));
    const { folder, name: memo } = first;
    first.close();
    attack({ folder, memo, sealer, root });
    const again = Memo.open(root, of, { sealer, trustedKeys: [] });
    try {
      const found = again.get(mine);
      return found ? `BELIEVED ${found.execution.score?.elpdLoo}` : "not known";
    } finally {
      again.close();
    }
  });
}

/** Files of the memo that another process could have written. */
function segment(folder: string, lines: string, name = "01PLANTED"): string {
  const path = join(folder, `${name}.ndjson`);
  Deno.writeTextFileSync(path, headerLine() + lines);
  return path;
}

function sparse(path: string, bytes: number): void {
  using file = Deno.openSync(path, { write: true, create: true });
  file.truncateSync(bytes);
}

function pipe(path: string): void {
  new Deno.Command("mkfifo", { args: [path] }).outputSync();
}

/** Whether a program can be claimed where something else stands instead of its claim. */
function claimed(plant: (path: string) => void): Promise<string> {
  return inScratch((root) => {
    const owner = new Owner(root);
    const folder = join(root, "memo");
    const path = join(folder, "claims", mine.slice(0, 32));
    Deno.mkdirSync(dirname(path), { recursive: true });
    plant(path);
    try {
      return `claimed: ${new Claims(folder, owner).take(mine)}, and no more is done`;
    } finally {
      owner.close();
    }
  });
}

/** A plan's result from a history. */
function planned(text: string): Promise<string> {
  return inScratch((root) => {
    const layout = projectLayout(root);
    const file = join(root, "p.toml");
    Deno.mkdirSync(join(layout.state, "history"), { recursive: true });
    const name = sha256("p.toml").slice(0, 32);
    Deno.writeTextFileSync(join(layout.state, "history", `${name}.json`), text);
    const last = new History(layout, file).get("data");
    return last ? `${changedParts(last.parts, {} as never).length} changes` : "never done here";
  });
}

const unknown = /^not known$/;
const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const past = { fingerprint: "f", runId: "r", seconds: 1, parts: {} };

/** Attempts by files of a project. */
export const disk: Door = {
  door: "memo, seals, claims, history",
  idea:
    "entries that were never computed, that were computed for something else, or that cost more " +
    "to look at than there is",
  attacks: [
    {
      name: "an entry in another program's place, by the index",
      tried: () =>
        believed(({ folder }) => {
          const [own] = [...Deno.readDirSync(folder)].filter(({ name }) =>
            name.endsWith(".ndjson")
          );
          const path = join(folder, own.name);
          const start = headerLine().length;
          const length = Deno.statSync(path).size - start;
          const record = recordOf(keyOfHash(mine), start, length);
          Deno.writeFileSync(path.replace(".ndjson", ".index"), record);
        }),
      holds: unknown,
    },
    {
      name: "an entry of this program, of another engine",
      tried: () =>
        believed(({ folder, sealer, root }) => {
          const old = Memo.open(root, { ...key, engineDigest: "older" }, { sealer });
          old.put(mine, great);
          const lines = [...Deno.readDirSync(old.folder)].map(({ name }) => join(old.folder, name));
          old.close();
          for (const path of lines.filter((one) => /\.(ndjson|index)$/.test(one))) {
            Deno.copyFileSync(path, join(folder, `01OLD${path.slice(path.lastIndexOf("."))}`));
          }
        }),
      holds: unknown,
    },
    {
      name: "an entry whose seal was taken from another line",
      tried: () =>
        believed(({ folder, memo, sealer }) => {
          const honest = encodeLine(memo, mine, scored({}), sealer);
          const forged = encodeLine(memo, mine, great, sealer).split(" ");
          forged[2] = honest.split(" ")[2];
          const rest = forged.slice(1).join(" ").trimEnd();
          segment(folder, `${sha256(rest).slice(0, 16)} ${rest}\n`);
        }),
      holds: unknown,
    },
    {
      name: "an honest entry, which must be known",
      tried: () =>
        believed(({ folder, memo, sealer }) => {
          segment(folder, encodeLine(memo, mine, great, sealer));
        }),
      holds: /^BELIEVED -0.003$/,
    },
    {
      name: "an entry sealed by a key of the forger's",
      tried: () =>
        believed(({ folder, memo }) => {
          segment(folder, encodeLine(memo, mine, great, newSealer()));
        }),
      holds: unknown,
    },
    {
      name: "a seal of zeros",
      tried: () =>
        believed(({ folder, memo, sealer }) => {
          const zeros = { ...sealer, seal: () => "0".repeat(128) };
          segment(folder, encodeLine(memo, mine, great, zeros));
        }),
      holds: unknown,
    },
    {
      name: "a key of zeros, whose signatures of anything are valid in careless code",
      tried: () =>
        believed(({ folder, memo, sealer }) => {
          const zeros = { ...sealer, keyId: "0".repeat(64), seal: () => "0".repeat(128) };
          segment(folder, encodeLine(memo, mine, great, zeros));
        }),
      holds: unknown,
    },
    {
      name: "a total that its terms do not make",
      tried: () =>
        believed(({ folder, memo, sealer }) => {
          segment(folder, encodeLine(memo, mine, scored({ elpdLoo: 60, elpdReward: 60 }), sealer));
        }),
      holds: unknown,
    },
    {
      name: "an index that says a line has 4 GB, of a file of 1 TB that is all hole",
      tried: () =>
        believed(({ folder }) => {
          const path = segment(folder, "");
          sparse(path, 2 ** 40);
          const start = headerLine().length;
          const record = recordOf(keyOfHash(mine), start, 2 ** 32 - 1);
          Deno.writeFileSync(path.replace(".ndjson", ".index"), record);
        }),
      holds: unknown,
    },
    {
      name: "an index of 1 TB that is all hole",
      tried: () =>
        believed(({ folder }) => sparse(segment(folder, "").replace(".ndjson", ".index"), 2 ** 40)),
      holds: unknown,
    },
    {
      name: "a file that is a link to a device without end",
      tried: () =>
        believed(({ folder }) => Deno.symlinkSync("/dev/zero", join(folder, "01ZERO.ndjson"))),
      holds: unknown,
    },
    {
      name: "a format of version 999,999,999",
      tried: () =>
        believed(({ folder }) =>
          Deno.writeTextFileSync(join(folder, "01NEW.ndjson"), "sluice-memo 999999999\n{}\n")
        ),
      holds: unknown,
    },
    {
      name: "a claim that is a pipe",
      tried: () => claimed(pipe),
      holds: /^claimed: false/,
    },
    {
      name: "a claim of 1 TB that is all hole",
      tried: () => claimed((path) => sparse(path, 2 ** 40)),
      holds: /^claimed: false/,
    },
    {
      name: "a claim by a process that cannot be",
      tried: () =>
        claimed((path) => Deno.writeTextFileSync(path, '{"pid":-1,"host":{},"machine":[]}')),
      holds: /^claimed: false/,
    },
    {
      name: "a writer's file that is a pipe",
      tried: () =>
        inScratch((root) => {
          const writers = join(root, ".sluice", "memo", "writers");
          Deno.mkdirSync(writers, { recursive: true });
          pipe(join(writers, "01PIPE"));
          const owner = new Owner(root);
          try {
            return `claimed: ${new Claims(join(root, "memo"), owner).take(mine)}`;
          } finally {
            owner.close();
          }
        }),
      holds: /^claimed: true$/,
    },
    {
      name: "a history 100,000 levels deep",
      tried: () =>
        planned(
          `{"data":${JSON.stringify(past).replace('"parts":{}', `"parts":{"x":${nested}}`)}}`,
        ),
      holds: /^never done here$/,
    },
    {
      name: "a history of other things",
      tried: () => planned('{"data":{"fingerprint":7,"parts":null,"seconds":"long"}}'),
      holds: /^never done here$/,
    },
    {
      name: "a history of what all objects have",
      tried: () => planned('{"__proto__":{"data":{"fingerprint":"f"}}}'),
      holds: /^never done here$/,
    },
  ],
};
