#!/usr/bin/env node
import { COMPLETE } from './commands/completion.ts';
import { program } from './program.ts';
import { handleStrayErrors, run } from './run.ts';
import { handleInterrupts } from './terminal/process.ts';

handleStrayErrors();
handleInterrupts();
const words = process.argv.slice(2);
if (words[0] === COMPLETE) {
  const { printCompletions } = await import('./completion.ts');
  await printCompletions(words.slice(1));
} else {
  await run(program(words), words);
}
