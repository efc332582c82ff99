import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const all = ['test/**/*.test.ts'];

/** Files that change what others would see: they put a module in another's place, or register a paradigm. */
const apart = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .filter((path) => /\bvi\.mock\(|\bregister\w+\(/.test(readFileSync(path, 'utf8')));

/** The files that take longest: begun first, so that no core waits for the last of them. */
const longest = [
  'readme.test.ts',
  'docs/api.test.ts',
  'queue/faults.test.ts',
  'cli/experiment.test.ts',
  'cli/resume.test.ts',
  'constituency/accuracy.test.ts',
  'serve/page.test.ts',
  'in-browser/sentences.test.ts',
  'failures/scale.test.ts',
  'queue/queue.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => longest.findIndex((name) => moduleId.endsWith(name));
    const early = files.filter((file) => rank(file) >= 0).sort((a, b) => rank(a) - rank(b));
    return [...early, ...(await super.sort(files.filter((file) => rank(file) < 0)))];
  }
}

export default defineConfig({
  test: {
    // Some tests wait for processes, timers or servers: one worker more than there are cores does their work meanwhile.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // No test waits for a clock: these end what would never end. The few that run whole programs have more time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      // Most files share processes, so that each module is loaded once in each.
      {
        extends: true,
        test: {
          name: 'together',
          include: all,
          exclude: [...configDefaults.exclude, ...apart],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: apart } },
    ],
  },
});
