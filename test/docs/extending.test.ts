import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { documentedCode } from '../support/documented-code.ts';
import { sampleText } from '../support/sample.ts';
import { UserProject } from '../support/user-project.ts';

const files = documentedCode('docs/extending.md');
const project = new UserProject('extending', ['left-neighbour']);

beforeAll(() => {
  for (const file of ['train.conllu', 'dev.conllu', 'test.conllu']) {
    copyFileSync(join(packageFolder, 'data', 'sample', file), project.path(file));
  }
  const { name, type, exports } = { name: 'left-neighbour', type: 'module', exports: './paradigm.js' };
  project.write('left-neighbour/package.json', JSON.stringify({ name, type, exports }));
  for (const { file, code } of files) project.write(file!, code);
  const { stdout } = project.compile();
  if (stdout !== '') throw new Error(stdout);
});

test('a paradigm in a package of its own can train, be scored, saved, loaded and compared, and vote', () => {
  const { status, stdout, stderr } = project.node(['use.js']);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toBe(files.at(-1)!.output);
  expect(stdout).toMatch(/^left-neighbour \d+\.\d\d \d+\.\d\d\n/);
});

test('a paradigm in a package of its own parses the same in worker threads as in the main thread', () => {
  // Records in which threads models are opened.
  project.write(
    'watched.js',
    `import { appendFileSync } from 'node:fs';
    import { threadId } from 'node:worker_threads';
    import { paradigm as original } from 'left-neighbour';
    export const paradigm = {
      ...original,
      load(model) {
        appendFileSync('threads.txt', threadId === 0 ? 'main ' : 'worker ');
        return original.load(model);
      },
    };`,
  );
  project.write('many.conllu', sampleText('train').repeat(4));
  project.write(
    'parse.js',
    `import { parseFile, registerParadigm } from 'parliament';
    await registerParadigm(new URL('watched.js', import.meta.url));
    await parseFile('left-neighbour.model', 'many.conllu', 'one.conllu');
    await parseFile('left-neighbour.model', 'many.conllu', 'two.conllu', { jobs: 2 });`,
  );
  const { status, stderr } = project.node(['parse.js']);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(project.read('threads.txt').split(' ').sort()).toEqual(['', 'main', 'main', 'worker']);
  expect(readFileSync(project.path('two.conllu'))).toEqual(readFileSync(project.path('one.conllu')));
});
