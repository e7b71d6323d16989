/** Faults that `deno doc --lint` finds in own code, each with its place. */

/** Types of zod, whose docs are its own. */
const ofZod = /references private type 'Zod\w+'/;

/**
 * A type that is computed from a constant, or by zod's `input` and `output`: `keyof typeof tables`.
 * Only types begin with a capital; the docs of a constant would repeat the alias that stands for it.
 */
const ofConstant = /references private type '[a-z]\w*'/;

/** A constant that zod makes: its type spelt out would be the schema once more. */
const schema = /missing-explicit-type[^]*= z\./;

/** Whether a finding concerns own code, and a type that could be written or made public. */
function isOwn(finding: string): boolean {
  const place = /--> (\S+)/.exec(finding)?.[1] ?? "";
  if (place.includes("/node_modules/")) return false;
  return ![ofZod, ofConstant, schema].some((pattern) => pattern.test(finding));
}

/**
 * The faults of modules and of all that they export.
 *
 * @throws Error if the modules cannot be read.
 */
export async function docFaults(modules: readonly string[]): Promise<string[]> {
  const { stderr, code } = await new Deno.Command("deno", {
    args: ["doc", "--lint", ...modules],
    env: { NO_COLOR: "1" },
  }).output();
  const findings = new TextDecoder().decode(stderr).split(/\n(?=error)/)
    .filter((block) => block.startsWith("error[")).map((block) => block.trimEnd());
  if (code !== 0 && findings.length === 0) throw new Error(new TextDecoder().decode(stderr));
  return findings.filter(isOwn);
}

/** One declaration of a symbol, as `deno doc --json` has it. */
interface Declaration {
  readonly kind: string;
  readonly location: { readonly filename: string };
  readonly jsDoc?: { readonly doc?: string; readonly tags?: readonly { readonly kind: string }[] };
}

/** Output of `deno doc --json` on modules: by module, its symbols. */
interface Documented {
  readonly nodes: Readonly<
    Record<
      string,
      { readonly symbols: readonly { name: string; declarations: readonly Declaration[] }[] }
    >
  >;
}

/** Functions that modules export, each as `file name`, whose comment has no example that runs. */
export async function withoutExample(modules: readonly string[]): Promise<string[]> {
  const { stdout } = await new Deno.Command("deno", { args: ["doc", "--json", ...modules] })
    .output();
  const { nodes }: Documented = JSON.parse(new TextDecoder().decode(stdout));
  const found = Object.values(nodes).flatMap(({ symbols }) => symbols).flatMap(
    ({ name, declarations }) =>
      declarations.filter((one) => one.kind === "function" && !hasExample(one))
        .map(({ location }) => `${location.filename.split("/").slice(-2).join("/")} ${name}`),
  );
  return [...new Set(found)].sort();
}

function hasExample({ jsDoc }: Declaration): boolean {
  return (jsDoc?.doc ?? "").includes("```ts") ||
    (jsDoc?.tags ?? []).some(({ kind }) => kind === "example");
}
