/** Lints the doc comments of everything that mod.ts exports, re-exported libraries left out. */

const { stderr } = await new Deno.Command("deno", {
  args: ["doc", "--lint", "mod.ts"],
  env: { NO_COLOR: "1" },
}).output();
const blocks = new TextDecoder().decode(stderr).split(/\n(?=error)/);
const foreign = /node_modules|references private type '(Zod\w+|output)'/; // zod's own types
const own = blocks.filter((block) => block.startsWith("error[") && !foreign.test(block));
for (const block of own) console.error(block.trimEnd() + "\n");
console.log(`${own.length} findings in doc comments`);
if (own.length > 0) Deno.exit(1);
