/** A command that serves the stub model: `deno run … stub_service.ts PORT TOKEN [MILLISECONDS]`, ready after so long. */
import { StubServer } from "./stub_server.ts";

const [port, token, pause = "0"] = Deno.args;
console.log(`serving on ${port}`);
const server = new StubServer("vllm", 258, Number(port));
server.token = token;
let isReady = false;
setTimeout(() => isReady = true, Number(pause));
server.instead = {
  "/health": () => new Response("", { status: isReady ? 200 : 503 }),
};
