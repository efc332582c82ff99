#!/usr/bin/env node
import { COMPLETE } from './completion/scripts.ts';
import { program } from './program.ts';
import { handleStrayErrors, run } from './run.ts';
import { handleInterrupts } from './terminal/interrupts.ts';

handleStrayErrors();
handleInterrupts();
const words = process.argv.slice(2);
if (words[0] === COMPLETE) {
  const { printCompletions } = await import('./completion/print.ts');
  await printCompletions(words.slice(1));
} else {
  await run(program(words), words);
}
