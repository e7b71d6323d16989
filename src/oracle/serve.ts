/** The loop of an oracle's process: an answer for each request, until its supervisor is gone. */
import { InputError, MissingPartError } from "../base/diagnostic.ts";
import { FrameReader, FrameWriter } from "../base/frames.ts";
import { oracleCaps, type OracleReply, type OracleRequest } from "./messages.ts";
import { encodeCell } from "../pipeline/process/mod.ts";

/**
 * Serves requests until standard input ends.
 *
 * @param last Releases resources before the process ends.
 */
export async function serve(
  answer: (request: OracleRequest) => Promise<unknown>,
  last: () => Promise<unknown> = () => Promise.resolve(),
): Promise<never> {
  Deno.addSignalListener("SIGINT", () => {}); // Ctrl-C is the supervisor's to answer
  const reader = new FrameReader(Deno.stdin.readable, oracleCaps);
  const writer = new FrameWriter(Deno.stdout.writable);
  for (let isAsked = true; isAsked;) {
    const read = await reader.read();
    isAsked = read.kind === "frame" &&
      await writer.write(await replyTo(read.frame.json as OracleRequest, answer));
  }
  await last().catch(() => {});
  Deno.exit(0);
}

async function replyTo(
  request: OracleRequest,
  answer: (request: OracleRequest) => Promise<unknown>,
): Promise<OracleReply> {
  try {
    return { kind: "answer", answer: encodeCell(await answer(request)) };
  } catch (error) {
    if (!(error instanceof Error)) return { kind: "refused", message: `${error}` };
    const diagnostics = error instanceof InputError ? error.diagnostics : undefined;
    const remedy = error instanceof MissingPartError ? error.remedy : undefined;
    return { kind: "refused", message: error.message, diagnostics, remedy };
  }
}
