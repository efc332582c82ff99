#!/usr/bin/env node
import { handleInterrupts } from './interrupt.ts';
import { program } from './program.ts';
import { handleStrayErrors, run } from './run.ts';

handleStrayErrors();
handleInterrupts();
await run(program(), process.argv.slice(2));
