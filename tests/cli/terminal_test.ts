/** The terminal's colours, numbers and tables, and how errors become text and an exit status. */
import assert from "node:assert/strict";
import { inputError, MissingPartError } from "../../src/base/diagnostic.ts";
import { lineSpan } from "../../src/base/span.ts";
import { reportError } from "../../src/cli/exit.ts";
import {
  clip,
  count,
  duration,
  labelledTable,
  number,
  percent,
  plainTable,
} from "../../src/report/format.ts";
import { openTerminal, type Terminal } from "../../src/report/terminal.ts";

/** Runs with a standard output that is a terminal, and with this value of NO_COLOR. */
function onScreen<T>(noColour: string, use: () => T): T {
  const variable = Deno.env.get;
  const isTerminal = Deno.stdout.isTerminal;
  Deno.stdout.isTerminal = () => true;
  // In this realm alone: tests of other files run beside it, in one process.
  Deno.env.get = (name) => name === "NO_COLOR" ? noColour : variable(name);
  try {
    return use();
  } finally {
    Deno.stdout.isTerminal = isTerminal;
    Deno.env.get = variable;
  }
}

Deno.test("NO_COLOR takes colour off a terminal; empty, it does not", () => {
  const red = () => openTerminal().colour.red("x");
  assert.equal(onScreen("1", red), "x");
  assert.equal(onScreen("", red), "\x1b[31mx\x1b[39m");
});

/** A terminal that keeps what is written to it. */
function keeper(): Terminal & { readonly said: string[] } {
  const said: string[] = [];
  const keep = (text: string) => void said.push(text);
  const more = { live: false, width: 80, colour: openTerminal().colour, bytes: () => {} };
  return { ...more, said, out: keep, data: keep, note: keep, problem: keep, draw: keep };
}

function reported(error: unknown): [number, string] {
  const terminal = keeper();
  return [reportError(error, terminal, new Map([["p.toml", "a = 1\n"]])), terminal.said.join("\n")];
}

Deno.test("wrong input is told with its place and a mend, and ends with 2", () => {
  const error = inputError("x", "Cannot read a", lineSpan("p.toml", 1, 5), "write b");
  const text = "p.toml:1:5: Cannot read a\n   1 | a = 1\n     |     ^\n  mend: write b";
  assert.deepEqual(reported(error), [2, text]);
});

Deno.test("paths below the working directory are told as the user would write them", () => {
  const error = inputError("x", `Cannot read ${Deno.cwd()}/deep/d.csv`, undefined, Deno.cwd());
  assert.deepEqual(reported(error), [2, `Cannot read deep/d.csv\n  mend: ${Deno.cwd()}`]);
});

Deno.test("a missing part is told with its remedy, and ends with 3", () => {
  const error = new MissingPartError("Cannot start the worker", "grant --allow-run=deno");
  assert.deepEqual(reported(error), [3, "Cannot start the worker\n  mend: grant --allow-run=deno"]);
});

Deno.test("an error of the system is told in one line, a bug with its stack; both end with 1", () => {
  const full = "No space left on device (os error 28): writefile 'runs/x/rows/data-1.ndjson'";
  assert.deepEqual(reported(new Error(full)), [1, `Failed: ${full}`]);
  const [status, text] = reported(new Error("internal: the port is gone"));
  assert.equal(status, 1);
  assert.match(text, /^Error: internal: the port is gone\n {4}at /);
  assert.deepEqual(reported("torn"), [1, "Failed: torn"]);
});

Deno.test("numbers are as short as they can be read", () => {
  const cases: [number | null, number, string][] = [
    [null, 3, ""],
    [0, 3, "0"],
    [24.204, 4, "24.20"],
    [-0.0577, 2, "-0.058"],
    [0.00004, 3, "4.00e-5"],
    [1234567, 3, "1.23e+6"],
    [150, 3, "150"],
    [Infinity, 3, "Infinity"],
  ];
  for (const [value, digits, text] of cases) assert.equal(number(value, digits), text);
});

Deno.test("durations, shares, counts and clipped lines", () => {
  const seconds = [0.04, 9.94, 12.4, 59.4, 65, 3600 + 5 * 60, Infinity];
  const texts = ["0.0 s", "9.9 s", "12 s", "59 s", "1 m 05 s", "1 h 05 m", "?"];
  assert.deepEqual(seconds.map(duration), texts);
  assert.equal(percent(0.1234), "12.3 %");
  assert.deepEqual([count(1, "check"), count(0, "check")], ["1 check", "0 checks"]);
  assert.deepEqual([clip("KL‖policy", 9), clip("KL‖policy", 4)], ["KL‖policy", "KL‖…"]);
});

Deno.test("a table has no frame, and its numbers stand to the right", () => {
  const table = plainTable(["name", "n"], [["a", "1"], ["long", "10"]], [1]);
  assert.equal(table, "name   n\na      1\nlong  10");
});

Deno.test("a label that leaves no room for the numbers stands on a line of its own", () => {
  const rows = [["policy", "0.25", "12.5"], ["a policy of mine", "1", "2"], [
    "x".repeat(40),
    "3",
    "4",
  ]];
  const table = (width: number) => labelledTable(["nats", "TV", "KL"], rows, width).split("\n");
  assert.deepEqual(table(20), [
    "nats      TV    KL",
    "policy  0.25  12.5",
    "a policy of mine",
    "           1     2",
    `${"x".repeat(19)}…`,
    "           3     4",
  ]);
  assert.deepEqual(table(28)[2], "a policy of mine     1     2");
});

Deno.test("what is printed for people keeps its colours and nothing else that acts", () => {
  const written: string[] = [];
  const writeSync = Deno.stdout.writeSync;
  Deno.stdout.writeSync = (bytes) => {
    written.push(new TextDecoder().decode(bytes));
    return bytes.length;
  };
  try {
    const terminal = openTerminal();
    terminal.out("\x1b[31mred\x1b[39m \x1b]0;title\x07 \x1b[8m\u202e\x9b2J");
    terminal.data('{"a":"\u202e"}');
  } finally {
    Deno.stdout.writeSync = writeSync;
  }
  assert.deepEqual(written, [
    "\x1b[31mred\x1b[39m ␛]0;title␇ ␛[8m��2J\n",
    '{"a":"\\u202e"}\n',
  ]);
});

/** Standard error of a terminal of so many columns; of a file, if it is 0. */
function errorsAt(columns: number, use: (terminal: Terminal) => void): string {
  const { isTerminal, writeSync } = Deno.stderr;
  const { consoleSize } = Deno;
  let written = "";
  Deno.stderr.isTerminal = () => columns > 0;
  Deno.stderr.writeSync = (bytes) => {
    written += new TextDecoder().decode(bytes);
    return bytes.length;
  };
  Object.defineProperty(Deno, "consoleSize", {
    value: () => ({ columns, rows: 24 }),
    configurable: true,
  });
  try {
    use(openTerminal({ quiet: true }));
  } finally {
    Object.assign(Deno.stderr, { isTerminal, writeSync });
    Object.defineProperty(Deno, "consoleSize", { value: consoleSize, configurable: true });
  }
  return written;
}

Deno.test("errors fit the terminal, below its place and mend; excerpts stay, and so does a file's text", () => {
  const columns = Array.from({ length: 12 }, (_, i) => `column_${i}`).join(", ");
  const wide = `a = "${"x".repeat(70)}"`;
  const hint = `did you mean "column_1"? Columns: ${columns}`;
  const error = inputError("x", "Cannot use it", lineSpan("p.toml", 1, 1), hint);
  const told = (width: number) =>
    errorsAt(width, (terminal) => reportError(error, terminal, new Map([["p.toml", wide]])));
  const lines = told(60).trimEnd().split("\n");
  assert.equal(lines[1], `   1 | ${wide}`);
  const mend = lines.slice(3);
  assert.ok(mend.length > 2 && mend.every((line) => line.length <= 60), told(60));
  assert.match(mend[0], /^ {2}mend: did you mean/);
  assert.ok(mend.slice(1).every((line) => /^ {4}\S/.test(line)), told(60));
  assert.equal(told(0).split("\n")[3], `  mend: ${hint}`);
});
