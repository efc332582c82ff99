import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { configDefaults, defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const filesWith = (pattern: RegExp): string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter((path) => pattern.test(readFileSync(path, 'utf8')));
/** Files that mock a module: they would affect others in the same process, and Vitest must load what they import. */
const mocking = filesWith(/\bvi\.mock\(/);
/** Files that register a paradigm of their own: all others would find it. */
const registering = filesWith(/\bregisterLeftNeighbour\(/);

/**
 * `npm run test:long`: the pages' commands word for word, real browsers, a real Redis, other programs as references, real
 * treebanks in full, threads of the built program, killing and resuming it, random faults.
 */
const long = [
  'test/readme.test.ts',
  'test/cli/resume.test.ts',
  'test/cli/completion.test.ts',
  'test/cli/models.test.ts',
  'test/cli/optional-packages.test.ts',
  'test/cli/pipeline-threads.test.ts',
  'test/cli/published-encoder.test.ts',
  'test/cli/serve.test.ts',
  'test/cli/steady-heaps.test.ts',
  'test/cli/stopped-experiment.test.ts',
  'test/cli/train-encoder.test.ts',
  'test/cli/train-guide.test.ts',
  'test/cli/train-pipeline.test.ts',
  'test/cli/vectors.test.ts',
  'test/combine/bayes-point/training.test.ts',
  'test/combine/bayes-point/transition.test.ts',
  'test/combine/vote/real-parsers.test.ts',
  'test/docs/api.test.ts',
  'test/docs/console.test.ts',
  'test/docs/extending.test.ts',
  'test/docs/site.test.ts',
  'test/docs/teaching.test.ts',
  'test/experiment/jobs/program.test.ts',
  'test/experiment/queue/*.test.ts',
  'test/cli/corpus.test.ts',
  'test/failures/fuzz.test.ts',
  'test/failures/hostile-pipeline.test.ts',
  'test/failures/scale.test.ts',
  'test/annotators/tokenizer/real-treebanks.test.ts',
  'test/learn/svm/liblinear.test.ts',
  'test/parsers/constituency/accuracy.test.ts',
  'test/parsers/constituency/split-merge/split-parser.test.ts',
  'test/report/explanation/explanation-page.test.ts',
  'test/report/html/in-browser/*.test.ts',
  'test/parsers/transition/learning/reference.test.ts',
  'test/serve/correcting.test.ts',
  'test/serve/page.test.ts',
  'test/serve/saving.test.ts',
  'test/serve/threads.test.ts',
  'test/treebank/catalogued-files.test.ts',
  'test/treebank/fuzz.test.ts',
  'test/treebank/round-trip.test.ts',
  'test/web/playground.test.ts',
  'test/web/web.test.ts',
];

/** The slowest files of each project: they start first, so that at the end no core is idle while another runs them. */
const longest = [
  'docs/console.test.ts',
  'readme.test.ts',
  'docs/site.test.ts',
  'web/playground.test.ts',
  'docs/api.test.ts',
  'cli/corpus.test.ts',
  'serve/page.test.ts',
  'failures/scale.test.ts',
  'bayes-point/training.test.ts',
  'bayes-point/transition.test.ts',
  'jobs/program.test.ts',
  'in-browser/sentences.test.ts',
  'web/web.test.ts',
  'cli/train-pipeline.test.ts',
  'cli/stopped-experiment.test.ts',
  'cli/experiment.test.ts',
  'cli/distil.test.ts',
  'parsers/n-best.test.ts',
  'parsers/explain.test.ts',
  'graph/shards.test.ts',
  'transition/training.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => longest.findIndex((name) => moduleId.endsWith(name));
    const early = files.filter((file) => rank(file) >= 0).sort((a, b) => rank(a) - rank(b));
    return [...early, ...(await super.sort(files.filter((file) => rank(file) < 0)))];
  }
}

const dist = join(import.meta.dirname, 'dist');
/**
 * With `--mode built`, as in `npm test`, which builds first, tests import the program from dist/: Node loads it as it
 * is, which takes a quarter less time than sources that Vitest rewrites. Mocks do not reach modules loaded so.
 */
const fromDist: Plugin = {
  name: 'from-dist',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === undefined || !/^\.{1,2}\/.*\.ts$/.test(source)) return null;
    const name = relative(import.meta.dirname, join(dirname(importer), source));
    if (/^(\.\.|test)[/\\]/.test(name)) return null;
    const built = join(dist, name.replace(/\.ts$/, '.js'));
    return existsSync(built) ? built : null;
  },
};
const inDist = new RegExp(`^${dist.replace(/\W/g, '\\$&')}/`);
const loading = (mode: string) => ({ extends: true as const, plugins: mode === 'built' ? [fromDist] : [] });

export default defineConfig(({ mode }) => ({
  test: {
    // One worker more than cores, as some tests only wait for processes, timers or servers.
    maxWorkers: availableParallelism() + 1,
    // Room for young objects, of which processes that files share have many: a seventh less time.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/support/typed-array-equality.ts'],
    // No test depends on timeouts: these only end a test that hangs, and are long enough for a slow machine.
    testTimeout: 60_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    server: { deps: { external: [inDist] } },
    projects: [
      // Most files share processes, so that each module is loaded once in each.
      {
        ...loading(mode),
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...mocking, ...registering, ...long],
          isolate: false,
        },
      },
      { ...loading(mode), test: { name: 'registering', include: registering, isolate: false } },
      { ...loading('sources'), test: { name: 'mocking', include: mocking } },
      { ...loading(mode), test: { name: 'long', include: long, testTimeout: 300_000 } },
    ],
  },
}));
