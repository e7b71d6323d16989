/** Scores all programs of strangers, and writes the table of bench/results/strangers.md. */
import { furtherPrograms, scoreFurther } from "./further.ts";
import { scoresOf } from "./score_strangers.ts";

/** Result of one program. */
interface Found {
  readonly set: string;
  readonly first?: "scored" | "refused";
  readonly isForbidden: boolean;
  readonly isScored: boolean;
}

const found: Found[] = [];

function note(title: string, one: Found): void {
  found.push(one);
  console.log(`${title}: ${one.isScored ? "scored" : one.isForbidden ? "a rule" : "refused"}`);
}

for await (const { title, execution: { status, diagnostics } } of scoresOf()) {
  const isForbidden = diagnostics.some(({ code }) => code.startsWith("lh/"));
  note(title, { set: "styles", isForbidden, isScored: status === "ok" });
}
for (const program of furtherPrograms()) {
  const isScored = await scoreFurther(program).then(({ status }) => status === "ok", () => false);
  const { set, name } = program;
  const first = program.first === "rule" ? undefined : program.first;
  note(name, { set: `fresh ${set}`, first, isForbidden: program.first === "rule", isScored });
}

/** The 95 % interval of Wilson (1927) for a share, in whole per cent. */
function interval(count: number, of: number): string {
  const z = 1.959964;
  const [p, shrunk] = [count / of, 1 + z * z / of];
  const middle = (p + z * z / (2 * of)) / shrunk;
  const half = z / shrunk * Math.sqrt(p * (1 - p) / of + z * z / (4 * of * of));
  return `${Math.round(100 * (middle - half))} … ${Math.round(100 * (middle + half))} %`;
}

const sets = [...new Set(found.map(({ set }) => set))];
const rows = [...sets, "all"].map((set) => {
  const own = found.filter((one) => set === "all" || one.set === set);
  const allowed = own.filter(({ isForbidden }) => !isForbidden);
  const met = allowed.filter(({ first }) => first !== undefined);
  const atFirst = met.filter(({ first }) => first === "scored").length;
  const scored = allowed.filter(({ isScored }) => isScored).length;
  const first = met.length > 0
    ? `${atFirst} of ${met.length} (${interval(atFirst, met.length)})`
    : "–";
  return `| ${set} | ${own.length} | ${
    own.length - allowed.length
  } | ${first} | ${scored} of ${allowed.length} |`;
});
const table = [
  "| set | programs | refused by a rule | scored as first met | scored |",
  "| --- | --- | --- | --- | --- |",
  ...rows,
].join("\n");
console.log(table);
if (Deno.args.includes("--write")) {
  const page = new URL("../../../bench/results/strangers.md", import.meta.url);
  const [begin, end] = ["<!-- strangers -->", "<!-- end of strangers -->"];
  const text = Deno.readTextFileSync(page);
  const [before, after] = [text.split(begin)[0], text.split(end)[1]];
  Deno.writeTextFileSync(page, `${before}${begin}\n\n${table}\n\n${end}${after}`);
}
