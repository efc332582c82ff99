import { vi } from 'vitest';
import { run } from '../../cli/run.ts';

/** Runs `parliament …args` in this process. */
export async function runInProcess(
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
    await run(args);
    return { ...texts, exitCode: Number(process.exitCode) };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = 0;
  }
}
