/** Names for the variables of a printed program: each once, none that Python or the text needs. */

const taken = [
  ..."False None True and as assert async await break class continue def del elif else".split(" "),
  ..."except finally for from global if import in is lambda nonlocal not or pass raise".split(" "),
  ..."return try while with yield match case print len range sum min max abs int float".split(" "),
  ..."np pd pm pt az Path data model trace categories gen_model self type list dict".split(" "),
];

/** Hands out names. */
export class PythonNames {
  readonly #taken = new Set(taken);

  /** The nearest name to the one wished for that is free; it is taken from then on. */
  take(wished: string): string {
    const plain = wished.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^_+|_+$/g, "").slice(0, 40);
    const base = /^[A-Za-z]/.test(plain) ? plain : `v_${plain}`;
    let name = base;
    for (let k = 2; this.#taken.has(name); k++) name = `${base}_${k}`;
    this.#taken.add(name);
    return name;
  }
}
