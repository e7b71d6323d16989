/** Hands a batch script to `sbatch`: a process of its own, the only one that may start it. */
const script = await new Response(Deno.stdin.readable).arrayBuffer();

try {
  const child = new Deno.Command("sbatch", {
    args: ["--parsable"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  })
    .spawn();
  const writer = child.stdin.getWriter();
  const unread = () => {}; // a wrapper may end before it reads: its words and status count
  await writer.write(new Uint8Array(script)).catch(unread);
  await writer.close().catch(unread);
  const { code, stdout, stderr } = await child.output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  console.log(JSON.stringify({ code, out, err }));
} catch (error) {
  const missing = error instanceof Deno.errors.NotFound;
  console.log(JSON.stringify({ code: missing ? 127 : 1, out: "", err: `${error}` }));
}
