/** Attacks in JavaScript: attempts open to a program that broke out of the engine into Deno. */
import childProcess from "node:child_process";
import dgram from "node:dgram";
import fs from "node:fs";
import net from "node:net";
import { DatabaseSync } from "node:sqlite";

const [name, text] = Deno.args;
const fx = JSON.parse(text);

function must(condition) {
  if (!condition) throw new Error("harmless");
  return condition;
}

/** Settles as an event emitter says. */
function once(emitter, good) {
  return new Promise((resolve, reject) => {
    emitter.once(good, resolve);
    emitter.once("error", reject);
  });
}

/** By name, each with a title. */
const attacks = {
  "JF-01": ["read a secret file", () => Deno.readTextFile(fx.secret)],
  "JF-02": ["read a secret file through node:fs", () => fs.readFileSync(fx.secret)],
  "JF-03": ["read a secret file through a database", () => {
    const database = new DatabaseSync(":memory:");
    database.exec(`attach '${fx.database}' as other`);
    return database.prepare("select * from other.sqlite_master").all();
  }],
  "JF-04": ["list the root", () => must([...Deno.readDirSync("/")].length > 0)],
  "JF-05": ["whether a file of the host exists", () => Deno.stat(fx.secret)],
  "JF-06": ["a module that is a secret", async () => (await import(`file://${fx.module}`)).default],
  "JF-07": [
    "the environment of the process, as a file",
    () => Deno.readTextFile("/proc/self/environ"),
  ],
  "JF-08": ["write a file", () => Deno.writeTextFile(`${fx.folder}/marker-js`, "x")],
  "JF-09": ["write a file through node:fs", () => fs.writeFileSync(`${fx.folder}/marker-js`, "x")],
  "JF-10": [
    "a symbolic link to a secret",
    () => Deno.symlink(fx.secret, `${fx.folder}/link-${fx.token}`),
  ],
  "EN-08": [
    "the supervisor's variables",
    () => must(JSON.stringify(Deno.env.toObject()).includes(fx.canary)),
  ],
  "EN-10": ["the host's name", () => must(Deno.hostname() === fx.hostname)],
  "NW-12a": ["fetch", () => fetch(`http://127.0.0.1:${fx.port}/`)],
  "NW-12b": ["a TCP connection", () => Deno.connect({ hostname: "127.0.0.1", port: fx.port })],
  "NW-12c": ["listen", () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close()],
  "NW-12d": ["a connection of node:net", () => once(net.connect(fx.port, "127.0.0.1"), "connect")],
  "NW-12e": ["a datagram of node:dgram", () => {
    const socket = dgram.createSocket("udp4");
    socket.send("x", 53, "127.0.0.1");
    return once(socket, "listening");
  }],
  "NW-12f": [
    "a socket file of a daemon",
    () => Deno.connect({ transport: "unix", path: fx.unixSocket }),
  ],
  "NW-12g": ["a WebSocket", () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${fx.port}/`);
      socket.onopen = resolve;
      socket.onerror = (event) =>
        /101|status|header/i.test(event.message) ? resolve() : reject(
          new Error(event.message),
        );
    })],
  "NW-13": ["a module from the network", () => import(`http://127.0.0.1:${fx.port}/m.js`)],
  "PX-14a": ["start a program", () => new Deno.Command("/bin/true").outputSync()],
  "PX-14b": [
    "start a program through node:child_process",
    () => childProcess.execFileSync("/bin/true"),
  ],
  "PX-14c": ["end a process of the same user", () => Deno.kill(fx.victim, "SIGCONT")],
  "JS-05a": ["evaluate text", () => must((0, eval)("1 + 1") === 2)],
  "JS-05b": ["a function made of text", () => must(new Function("return 2")() === 2)],
  "JS-15": [
    "load native code",
    () => Deno.dlopen(fx.library, { getpid: { parameters: [], result: "i32" } }).symbols.getpid(),
  ],
  "RS-21a": ["2 GiB of array buffers", () => {
    const kept = [];
    for (let i = 0; i < 32; i++) kept.push(new Uint8Array(64 << 20).fill(1));
    return kept.length;
  }],
  "RS-21b": ["2 GiB of WebAssembly memory", () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
    for (let i = 0; i < 32; i++) {
      const before = memory.grow(1024);
      new Uint8Array(memory.buffer, before * 65536, 1024 * 65536).fill(1);
    }
    return memory.buffer.byteLength;
  }],
  "XL-01a": ["web storage that the next program finds", () => {
    localStorage.setItem("sluice", "x");
    return must(localStorage.getItem("sluice") === "x");
  }],
  "XL-01b": ["a cache that the next program finds", () => caches.open("sluice")],
};

try {
  const found = await attacks[name][1]();
  console.log("OPEN", typeof found);
} catch (error) {
  console.log("DENIED", error?.name, String(error?.message).slice(0, 200));
}
Deno.exit(0);
