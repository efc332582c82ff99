import { program } from '../program.ts';
import { printText } from '../terminal/output.ts';
import { completions } from './completions.ts';
import { completionLines } from './scripts.ts';

/** Answers a shell that asks what may stand at the end of these words. */
export async function printCompletions(words: readonly string[]): Promise<void> {
  printText(completionLines(await completions(await program(), words)));
}
