/** Examples of supervised fine-tuning. */
export { readSft, type SftExample, type SftExamples, withoutThinking } from "./sft_examples.ts";
export { readSftLines, type SftLine } from "./sft_lines.ts";
