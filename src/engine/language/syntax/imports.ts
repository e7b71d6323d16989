/** `import` and `from … import` statements. */
import type { Cursor } from "./cursor.ts";
import { identifier } from "./names.ts";
import type { ImportStatement } from "./tree.ts";

type Import = ImportStatement["imports"][number];

/** Reads from the keyword to the end of the statement. */
export function importStatement(cursor: Cursor): ImportStatement {
  const { start, text } = cursor.take();
  const form = text === "from" ? "from" : "import";
  const imports = form === "from" ? fromImport(cursor) : plainImports(cursor);
  return { kind: "import", form, imports, start, end: cursor.previous.end };
}

function plainImports(cursor: Cursor): Import[] {
  const imports: Import[] = [];
  do {
    const module = dottedName(cursor);
    const name = cursor.accept("as") ? identifier(cursor).id : module.split(".")[0];
    imports.push({ module, name });
  } while (cursor.accept(","));
  return imports;
}

function dottedName(cursor: Cursor): string {
  let name = identifier(cursor).id;
  while (cursor.accept(".")) name += `.${identifier(cursor).id}`;
  return name;
}

function fromImport(cursor: Cursor): Import[] {
  let module = "";
  while (cursor.is(".") || cursor.is("...")) module += cursor.take().text;
  if (!cursor.is("import") || module === "") module += dottedName(cursor);
  cursor.expect("import");
  if (cursor.accept("*")) return [{ module, name: "*" }];
  const parentheses = cursor.accept("(");
  const imports = [fromName(cursor, module)];
  while (cursor.accept(",")) {
    if (parentheses && cursor.is(")")) break;
    imports.push(fromName(cursor, module));
  }
  if (parentheses) cursor.expect(")");
  return imports;
}

function fromName(cursor: Cursor, module: string): Import {
  const { id } = identifier(cursor);
  return { module: `${module}.${id}`, name: cursor.accept("as") ? identifier(cursor).id : id };
}
