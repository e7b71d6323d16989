/**
 * Runs as folders that `wandb sync` sends: the offline format of Weights & Biases, which is private to
 * it (records of `wandb_internal.proto` in blocks of LevelDB's log), as its version 0.31 writes it.
 */
import { crc32 } from "node:zlib";
import { join } from "node:path";
import { writeAtomic } from "../../base/atomic.ts";
import { countPoints, type TrackedParams, trackedRuns, type TrackedSeries } from "./series.ts";
import { ProtoBytes } from "./protobuf.ts";

/** Numbers of fields of a `Record`. */
const fieldOf = { num: 1, history: 2, run: 17, exit: 18, header: 21 } as const;

/** Bytes of a block, and of the header of each part of a record. */
const [blockBytes, partHeader] = [32_768, 7];

/** `:W&B`, a magic number, and the version of the format. */
const magic = Uint8Array.of(0x3a, 0x57, 0x26, 0x42, 0xe1, 0xbe, 0);

/**
 * Writes `offline-run-…` folders for `wandb sync FOLDER/offline-run-*`: one for each run and instance,
 * whole each time. The same run has the same id in each export, so that it is one run there. Gives how
 * many points it wrote.
 */
export function exportWandb(
  folder: string,
  series: readonly TrackedSeries[],
  nameOf: (run: string) => string,
  params: TrackedParams,
): number {
  for (const { run, id: digest, name, series: own } of trackedRuns(series, nameOf)) {
    const [id, began] = [digest.slice(0, 16), own[0].walls[0]];
    const records = [
      header(),
      runRecord({ id, name, began }, params.get(run) ?? {}),
      ...historyOf(own),
      exit(),
    ];
    const place = join(folder, `offline-run-${stamp(began)}-${id}`);
    writeAtomic(join(place, `run-${id}.wandb`), log(records));
  }
  return countPoints(series);
}

type Record = (writer: ProtoBytes) => void;

function header(): Record {
  return (writer) =>
    writer.nested(fieldOf.header, () =>
      writer.nested(1, () => {
        writer.text(1, "sluice");
        writer.text(2, "0.70.0"); // the least version that may read it
      }));
}

function runRecord(
  { id, name, began }: { readonly id: string; readonly name: string; readonly began: number },
  params: Readonly<{ [path: string]: string }>,
): Record {
  return (writer) =>
    writer.nested(fieldOf.run, () => {
      writer.text(1, id);
      writer.text(3, "sluice");
      writer.nested(4, () => {
        for (const [path, json] of Object.entries(params)) {
          writer.nested(1, () => {
            writer.text(1, path);
            writer.text(16, json);
          });
        }
      });
      writer.text(8, name);
      writer.nested(17, () => writer.varint(1, Math.max(0, Math.floor(began))));
    });
}

/** A record for each step, in their order, with all of its numbers. */
function historyOf(series: readonly TrackedSeries[]): Record[] {
  const points = series.flatMap(({ tag, steps, values, walls }) =>
    steps.map((step, i) => ({ tag, step, value: values[i], wall: walls[i] }))
  );
  const steps = [...Map.groupBy(points, ({ step }) => step)].toSorted(([a], [b]) => a - b);
  return steps.map(([step, some]) => (writer) =>
    writer.nested(fieldOf.history, () => {
      const wall = Math.max(...some.map((one) => one.wall));
      const items = some.map(({ tag, value }) => [tag, `${value}`] as const); // NaN as Python's json
      for (const [tag, json] of [...items, ["_step", `${step}`], ["_timestamp", `${wall}`]]) {
        writer.nested(1, () => {
          writer.text(2, tag);
          writer.text(16, json);
        });
      }
      writer.nested(2, () => writer.varint(1, step));
    })
  );
}

function exit(): Record {
  return (writer) => writer.nested(fieldOf.exit, () => writer.varint(1, 0));
}

/** Records, numbered from 1, in the blocks of a log. */
function log(records: readonly Record[]): Uint8Array {
  const parts: Uint8Array[] = [magic];
  let at = magic.length;
  const put = (bytes: Uint8Array) => {
    parts.push(bytes);
    at += bytes.length;
  };
  for (const [i, record] of records.entries()) {
    const writer = new ProtoBytes();
    writer.varint(fieldOf.num, i + 1);
    record(writer);
    const bytes = writer.taken();
    for (let done = 0, first = true; first || done < bytes.length; first = false) {
      const left = blockBytes - at % blockBytes;
      if (left < partHeader) put(new Uint8Array(left));
      const room = blockBytes - at % blockBytes - partHeader;
      const part = bytes.subarray(done, done + room);
      done += part.length;
      put(partOf(part, kindOf(first, done === bytes.length)));
    }
  }
  const whole = new Uint8Array(at);
  parts.reduce((offset, part) => (whole.set(part, offset), offset + part.length), 0);
  return whole;
}

/** LevelDB's names: whole, first, middle and last part of a record. */
function kindOf(first: boolean, last: boolean): number {
  if (first) return last ? 1 : 2;
  return last ? 4 : 3;
}

function partOf(part: Uint8Array, kind: number): Uint8Array {
  const bytes = new Uint8Array(partHeader + part.length);
  bytes.set(part, partHeader);
  bytes[6] = kind;
  const view = new DataView(bytes.buffer);
  view.setUint32(0, crc32(bytes.subarray(6)), true);
  view.setUint16(4, part.length, true);
  return bytes;
}

/** `20261129_092726` */
function stamp(wall: number): string {
  return new Date(1000 * wall).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "_");
}
