/** The catalogue of attacks: the programs in `attacks/`, their ids and what each one tries. */
import { fileURLToPath } from "node:url";

/** One attack. */
export interface Attack {
  readonly id: string;
  readonly title: string;
  readonly language: "python" | "javascript";
  /** The file that it stands in. */
  readonly file: string;
}

/** Path of a file beside the attacks. */
export function attackFile(name: string): string {
  return fileURLToPath(new URL(`./attacks/${name}`, import.meta.url));
}

const pythonFiles = [
  ...["a_file_read.py", "b_file_write.py", "c_path_escapes.py", "d_secrets.py", "e_network.py"],
  ...["f_processes.py", "g_kernel.py", "h_resources.py", "i_language.py"],
];
const javascriptFile = "deno_attacks.js";

/** All attacks, in the order of their files. */
export function readCatalogue(): Attack[] {
  return [...pythonFiles.flatMap(readPython), ...readJavascript()];
}

function readPython(file: string): Attack[] {
  const text = Deno.readTextFileSync(attackFile(file));
  const found = text.matchAll(/^def ([A-Z]{2}_[0-9]+[a-z]?)\(fx\):\n {4}"""(.*)"""$/gm);
  return [...found].map(([, name, title]) => {
    return { id: name.replace("_", "-"), title, language: "python", file } as const;
  });
}

function readJavascript(): Attack[] {
  const text = Deno.readTextFileSync(attackFile(javascriptFile));
  const found = text.matchAll(/^ {2}"([A-Z]{2}-[0-9]+[a-z]?)": \[\s*"(.*?)",\s/gm);
  const listed = [...found].map(([, id, title]) => ({ id, title }));
  const statically = { id: "JS-04", title: "a secret as the text of a module" };
  return [...listed, statically].map((attack) => {
    return { ...attack, language: "javascript", file: javascriptFile } as const;
  });
}

/** The whole text of a Python attack's program. */
export function pythonText(file: string): string {
  return ["prelude.py", file, "epilogue.py"].map((name) => Deno.readTextFileSync(attackFile(name)))
    .join("\n\n");
}
