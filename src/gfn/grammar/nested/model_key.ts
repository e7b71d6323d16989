/** A key for derivations of nested holes: equal where they are parametrisations of one model. */
import type { CompiledGrammar } from "../compile.ts";
import { type NestedTree, readNested } from "./tree.ts";
import { nestedHoles } from "./nested_holes.ts";

/** Returns the choices of a derivation, its nested holes as one word each. */
type Words = (features: readonly string[]) => string[];

/**
 * Reads derivations by the names of their choices. The choices of a nested hole become one word, in
 * which a class stands for its members, and operands that may change places are sorted.
 *
 * @param classOf the class of a production, or its name.
 */
export function wordsOf(grammar: CompiledGrammar, classOf: (name: string) => string): Words {
  const nested = nestedHoles(grammar);
  if (!nested.some((hole) => hole.isNested)) return (features) => features.map(classOf);
  const numbers = new Map(grammar.actions.map(({ name }, action) => [name, action]));
  return (features) => {
    const words: string[] = [];
    const reading = { actions: features.map((name) => numbers.get(name)!), at: 0 };
    const fill = (holes: readonly number[]) => {
      for (const hole of holes.filter((one) => grammar.holes[one].clause < 0)) {
        if (nested[hole].isNested) words.push(wordOf(readNested(grammar, hole, reading)));
        else choose();
      }
    };
    const choose = () => {
      const { name, text } = grammar.actions[reading.actions[reading.at++]];
      words.push(classOf(name));
      fill(text.holes);
    };
    const wordOf = (tree: NestedTree): string => {
      if (tree.kind === "number") {
        return `${grammar.holes[tree.hole].name}:${tree.part.halvings}:${tree.part.index}`;
      }
      const { name, normal } = grammar.actions[tree.action];
      const inner = tree.inner.map(wordOf);
      const sorted = normal?.commutative ? inner.sort() : inner;
      return sorted.length === 0 ? classOf(name) : `${classOf(name)}(${sorted.join(",")})`;
    };
    fill(grammar.start.holes);
    while (reading.at < features.length) choose();
    return words;
  };
}
