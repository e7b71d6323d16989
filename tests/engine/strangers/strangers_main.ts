/** Scores every program of the strangers and prints what came of it. */
import { scoresOf } from "./score_strangers.ts";

for await (const { title, execution } of scoresOf(Deno.args[0])) {
  const { status, score, diagnostics } = execution;
  console.log(title);
  const found = score
    ? `${score.elpdLoo.toFixed(3)} ± ${score.mcse.toFixed(3)} ${score.looMethod}`
    : "";
  console.log(`  ${status} ${found}`);
  for (const { severity, code, message, hint } of diagnostics) {
    if (severity !== "note") {
      console.log(`  ${severity} ${code}: ${message}${hint ? ` — ${hint}` : ""}`);
    }
  }
}
