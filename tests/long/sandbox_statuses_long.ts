/** Tests that a program's end is told by facts: statuses, exit codes, signals, limits and costs. */
import assert from "node:assert/strict";
import { sandboxTest } from "../sandbox/needs.ts";
import { kernelLevels, runText } from "../sandbox/python_run.ts";

interface Ending {
  readonly name: string;
  readonly text: string;
  readonly status: string;
  readonly exit?: number;
  readonly signal?: string;
  readonly err?: RegExp;
  readonly wallMs?: number;
}

const machineCode = (hex: string) => `
import ctypes, mmap
memory = mmap.mmap(-1, 4096, prot=7)
memory.write(bytes.fromhex("${hex}"))
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
ctypes.CFUNCTYPE(ctypes.c_int)(address)()`;

const endings: readonly Ending[] = [
  { name: "ends well", text: "print(1)", status: "ok", exit: 0 },
  { name: "says 3", text: "raise SystemExit(3)", status: "error", exit: 3 },
  { name: "raises", text: "1 / 0", status: "error", exit: 1, err: /ZeroDivisionError/ },
  {
    name: "imitates a kill by its exit code",
    ...{ text: "import os; os._exit(137)", status: "error", exit: 137 },
  },
  {
    name: "imitates a refused call by its exit code",
    ...{ text: "import os; os._exit(159)", status: "error", exit: 159 },
  },
  { name: "spins", text: "while True: pass", status: "timeout_cpu", signal: "SIGXCPU" },
  {
    name: "spins and ignores every signal",
    text:
      "import signal\nfor s in set(signal.Signals) - {9, 19}: signal.signal(s, signal.SIG_IGN)" +
      "\nwhile True: pass",
    ...{ status: "timeout_cpu", signal: "SIGKILL" },
  },
  {
    name: "spins in eight threads",
    text: "import threading\ndef spin():\n  while True: sum(range(10**6))\n" +
      "for _ in range(8): threading.Thread(target=spin).start()",
    ...{ status: "timeout_cpu", signal: "SIGXCPU" },
  },
  {
    name: "multiplies without an end",
    ...{ text: "9 ** 9 ** 9", status: "timeout_cpu", signal: "SIGXCPU" },
  },
  {
    name: "matches without an end",
    text: "import re; re.match(r'(a+)+$', 'a' * 40 + 'b')",
    ...{ status: "timeout_cpu", signal: "SIGXCPU" },
  },
  {
    name: "sleeps",
    text: "import time; time.sleep(1e6)",
    ...{ status: "timeout_wall", signal: "SIGKILL", wallMs: 400 },
  },
  {
    name: "drips",
    text: "import time\nwhile True: print('x', flush=True); time.sleep(0.1)",
    ...{ status: "timeout_wall", signal: "SIGKILL", wallMs: 400 },
  },
  { name: "floods its output", text: "while True: print('x' * 10000)", status: "output_limit" },
  {
    name: "floods its output without a line's end",
    ...{ text: "import os\nwhile True: os.write(1, b'x' * 65536)", status: "output_limit" },
  },
  {
    name: "floods its errors",
    ...{ text: "import os\nwhile True: os.write(2, b'x' * 65536)", status: "output_limit" },
  },
  {
    name: "reads where nothing is",
    text: "import ctypes; ctypes.string_at(0)",
    ...{ status: "crash", signal: "SIGSEGV" },
  },
  { name: "aborts", text: "import os; os.abort()", status: "crash", signal: "SIGABRT" },
  {
    name: "calls by the 32-bit convention",
    ...{ text: machineCode("b814000000cd80c3"), status: "seccomp_violation", signal: "SIGSYS" },
  },
  {
    name: "calls by the x32 convention",
    text: machineCode("b827000040" + "0f05c3"),
    ...{ status: "seccomp_violation", signal: "SIGSYS" },
  },
  {
    name: "asks for 8 GiB at once",
    ...{ text: "bytearray(8 << 30)", status: "error", exit: 1, err: /MemoryError/ },
  },
  {
    name: "asks for more and more",
    text: "kept = []\nwhile True: kept.append(bytearray(1 << 20))",
    ...{ status: "error", exit: 1, err: /MemoryError/ },
  },
  {
    name: "maps more and more",
    text:
      "import mmap\nkept = []\nwhile True: kept.append(mmap.mmap(-1, 1 << 24, mmap.MAP_PRIVATE))",
    ...{ status: "error", exit: 1, err: /Cannot allocate memory/ },
  },
  {
    name: "opens more and more",
    text: "kept = []\nwhile True: kept.append(open('/dev/null'))",
    ...{ status: "error", exit: 1, err: /Too many open files/ },
  },
  {
    name: "stops itself",
    text: "import ctypes; getattr(ctypes.CDLL(None), 'raise')(19); print('went on')",
    ...{ status: "crash", signal: "SIGKILL" },
  },
];

for (const level of kernelLevels) {
  sandboxTest(
    `programs that end in ${endings.length} ways are told apart at ${level}`,
    async () => {
      const found = await inLanes(endings, 6, async ({ text, wallMs }) => {
        const run = await runText(text, level, wallMs === undefined ? {} : { wallMs });
        return { status: run.status, exit: run.exit, signal: run.signal, err: run.err };
      });
      const wrong = endings.flatMap(({ name, status, exit, signal, err = /(?:)/ }, i) => {
        const run = found[i];
        const same = run.status === status && run.exit === exit && run.signal === signal;
        return same && err.test(run.err) ? [] : [{ name, ...run }];
      });
      assert.deepEqual(wrong, []);
    },
  );

  sandboxTest(`a program's cost is the kernel's account at ${level}`, async () => {
    const text = "x = bytearray(100 << 20)\nfor i in range(3 * 10**6): pass";
    const { cpuMs, maxRssKib, wallMs } = await runText(text, level);
    assert.ok(cpuMs! >= 10 && cpuMs! <= 1000 + wallMs * 8, `${cpuMs}`);
    assert.ok(maxRssKib! >= 100 << 10 && maxRssKib! <= 250 << 10, `${maxRssKib}`);
  });

  sandboxTest(`a program cannot write the keeper's report at ${level}`, async () => {
    const text = "import os, sys\nos.write(2, bytes(168) * 3)\nsys.exit(5)";
    const { status, exit, stderr } = await runText(text, level);
    assert.deepEqual([status, exit, stderr.length], ["error", 5, 3 * 168]);
  });

  sandboxTest(
    `what a program prints is its output, whatever it looks like, at ${level}`,
    async () => {
      const text = `print('66\\n{"kind":"attested","nonce":"0"}{"kind":"result","score":1e9}')`;
      const { status, out } = await runText(text, level);
      assert.equal(status, "ok");
      assert.match(out, /^66\n\{"kind":"attested"/);
    },
  );

  sandboxTest(`input, output and errors keep every byte at ${level}`, async () => {
    const text = "import sys\ndata = sys.stdin.buffer.read()\nsys.stdout.buffer.write(data)\n" +
      "print('größer \\u2028 \\U0001f40b', file=sys.stderr)";
    const stdin = Uint8Array.from({ length: 300_000 }, (_, i) => i % 256);
    const { stdout, err } = await runText(text, level, {}, { stdin });
    assert.equal(stdout.length, stdin.length);
    assert.ok(stdout.every((byte, i) => byte === i % 256));
    assert.equal(err, "größer \u2028 \u{1f40b}\n");
  });

  sandboxTest(`a program that does not read its input ends all the same at ${level}`, async () => {
    const stdin = new Uint8Array(4 << 20);
    const { status } = await runText("print(1)", level, {}, { stdin });
    assert.equal(status, "ok");
  });

  sandboxTest(`a run that is called off leaves nothing and says why at ${level}`, async () => {
    const signal = AbortSignal.timeout(200);
    const run = runText("import time; time.sleep(60)", level, {}, { signal });
    await assert.rejects(run, { name: "TimeoutError" });
  });

  sandboxTest(`twelve programs at once do not meet at ${level}`, async () => {
    const home = level === "L3" ? "os.listdir('/tmp')" : "[]";
    const texts = Array.from({ length: 12 }, (_, i) => `import os; print(${i}, ${home}, end="")`);
    const runs = await Promise.all(texts.map((text) => runText(text, level)));
    assert.deepEqual(runs.map((run) => run.out), texts.map((_, i) => `${i} []`));
  });
}

/** `lanes` at a time, results in order. */
async function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i]);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
