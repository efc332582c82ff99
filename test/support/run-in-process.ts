import { vi } from 'vitest';
import { program } from '../../cli/program.ts';
import { run } from '../../cli/run.ts';
import type { Paradigm } from '../../parsers/parser.ts';

/** Runs `parliament …args` in this process, with paradigms of the test's own. */
export async function runInProcess(
  paradigms: readonly Paradigm[],
  ...args: readonly string[]
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const texts = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      texts[name] += text;
      return true;
    }),
  );
  process.exitCode = 0;
  try {
    await run(program(paradigms), args);
    return { ...texts, exitCode: Number(process.exitCode) };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = 0;
  }
}
