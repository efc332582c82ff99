#!/usr/bin/env node
import { completions } from './completion/completions.ts';
import { COMPLETE, completionLines } from './completion/scripts.ts';
import { program } from './program.ts';
import { handleStrayErrors, run } from './run.ts';
import { handleInterrupts } from './terminal/interrupts.ts';

handleStrayErrors();
handleInterrupts();
const words = process.argv.slice(2);
if (words[0] === COMPLETE) {
  process.stdout.write(completionLines(await completions(program(), words.slice(1))));
} else {
  await run(program(), words);
}
