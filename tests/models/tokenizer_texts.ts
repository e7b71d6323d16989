/** Texts on which tokenizers are compared: programs of the grammars, and strange strings. */
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { readGrammar } from "../../src/gfn/grammar/read.ts";
import { RandomStream } from "../../src/base/random.ts";
import { parseTomlFile } from "../../src/pipeline/toml/parse.ts";

/** 402 programs: every thirteenth of the growth curves. */
export function programTexts(): string[] {
  const path = "grammars/growth_curves.toml";
  const spec = readGrammar(parseTomlFile(Deno.readTextFileSync(path), path), path);
  const objects = [...grammarEnvironment(spec).enumerate()];
  return objects.filter((_, i) => i % 13 === 0).map(({ text }) => text);
}

const chosen = [
  " ",
  "  ",
  "\n",
  "\n\n \n",
  "\t\tx",
  "a\r\nb\r\n",
  "\r",
  "é",
  "naïve café",
  "東京タワー",
  "😀",
  "👩‍👩‍👧‍👦 family",
  "🇫🇷🇩🇪",
  "مرحبا بالعالم",
  "שלום",
  "ภาษาไทย",
  "हिन्दी",
  "Ⅷ ½ ² ①",
  "0123456789",
  "3.14159e-10",
  "1_000_000",
  "١٢٣",
  "don't we'll I'VE HE'D",
  "x'sy 'tis",
  "\u00a0nbsp\u00a0",
  "\u2003em space",
  "\u200bzero width",
  "\ufeffbom",
  "a\u0000b",
  "\u0007bell",
  "\u2028line",
  "ﬁ ligature",
  "ＦＵＬＬ",
  "ß ẞ",
  "İ ı",
  "a  b   c    d",
  "trailing   ",
  "   leading",
  "if x:\n\treturn  y\n",
  "'''\"\"\"",
  "\\n\\t\\\\",
  "{}[]()<>",
  "-->==>>=!=",
  "<|im_start|>user\nhi<|im_end|>\n",
  "<|endoftext|>",
  "<|im_end|",
  "𝒜𝓁𝓅𝒽𝒶",
  "\ud83d\ude00\ud83d\ude01x",
  "한국어",
  "Ελληνικά",
  "Русский",
  "日本\n語\t",
  "co\u00f6perate",
  "www.example.com/a?b=c&d=%20",
  "CamelCaseAndsnake_case",
  "αβγ = σ² + μ",
];

const alphabet = [..."abz AZ09  \n\t.,'\"_-+=()[]{}é東😀ßя٣½\u00a0"];

/** A hundred strings that tokenizers disagree on if on anything. */
export function strangeTexts(): string[] {
  const random = new RandomStream("seed 20", "strange texts");
  const drawn = Array.from({ length: 100 - chosen.length }, () => {
    const length = 1 + random.below(24);
    return Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join("");
  });
  return [...chosen, ...drawn];
}
