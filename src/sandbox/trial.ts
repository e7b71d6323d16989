/** Starts a confined process to see how far it comes, and ends it. */
import { FrameReader } from "../base/frames.ts";
import { isRecord } from "../base/record.ts";
import type { WorkerStart } from "./launcher.ts";
import { StderrTail } from "./stderr_tail.ts";
import { splitReport } from "./keeper.ts";

/**
 * How far a process came: it refused to start, ended by itself before its first frame, was ended by
 * a signal, as happens where memory is too scarce, or sent its first frame.
 */
interface Trial {
  readonly kind: "refused" | "ended" | "killed" | "hello";
  readonly said: string;
}

const patienceMs = 20_000;

/** One start. */
export async function tryStart({ command, confinement }: WorkerStart): Promise<Trial> {
  if (!confinement) throw new Error("internal: nothing to be tried");
  const child = command.spawn();
  const stderr = new StderrTail(child.stderr, 4096);
  const writer = child.stdin.getWriter();
  writer.write(confinement.preamble).catch(() => {});
  const timer = setTimeout(() => kill(child), patienceMs);
  const reader = new FrameReader(child.stdout);
  const kinds = [await frameKind(reader), await frameKind(reader)];
  clearTimeout(timer);
  if (kinds[1] === "hello") kill(child);
  await Promise.all([child.status, stderr.done, reader.cancel(), writer.close().catch(() => {})]);
  const { text, report } = splitReport(stderr.bytes, confinement.mark);
  const said = new TextDecoder().decode(text).trim();
  if (kinds[0] !== "attested") return { kind: "refused", said: said || "no attestation" };
  if (kinds[1] === "hello") return { kind: "hello", said };
  return { kind: report?.exit === undefined ? "killed" : "ended", said };
}

async function frameKind(reader: FrameReader): Promise<unknown> {
  const read = await reader.read();
  return read.kind === "frame" && isRecord(read.frame.json) ? read.frame.json.kind : undefined;
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch { /* it had ended by itself */ }
}
