/** Names and texts as they stand in SQL. */

/** An identifier in quotes. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text in quotes. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
