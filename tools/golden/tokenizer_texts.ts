/** The texts of tests/models/tokenizer_texts.ts as JSON, for the libraries that make goldens of them. */
import { programTexts, strangeTexts } from "../../tests/models/tokenizer_texts.ts";

if (import.meta.main) {
  console.log(JSON.stringify({ programs: programTexts(), strange: strangeTexts() }));
}
