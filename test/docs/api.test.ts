import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/files/package.ts';
import { documentedCode } from '../support/documented-code.ts';
import { UserProject } from '../support/user-project.ts';

const pages = [
  'README.md',
  'docs/api.md',
  'docs/annotators.md',
  'docs/pipelines.md',
  'docs/explain.md',
  'docs/stacking.md',
].map((page) => ({
  page,
  examples: documentedCode(page).map((example, i) => ({ ...example, name: `example-${i + 1}` })),
}));
const project = new UserProject('docs');

beforeAll(() => {
  for (const { page, examples } of pages) {
    for (const { name, code } of examples) project.write(join(page, `${name}.ts`), code);
    for (const file of ['train.conllu', 'dev.conllu', 'test.conllu', 'train.mrg', 'dev.mrg']) {
      copyFileSync(join(packageFolder, 'data', 'sample', file), project.path(join(page, file)));
    }
  }
});

test('the examples of all pages are TypeScript without faults', () => {
  const { status, stdout } = project.compile();
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

describe.each(pages)('$page', ({ page, examples }) => {
  test('has examples', () => expect(examples).not.toEqual([]));

  test.each(examples)('$name prints what it is said to', ({ name, output }) => {
    const { status, stdout, stderr } = project.node([`${name}.js`], page);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    if (output !== undefined) expect(stdout).toBe(output);
  });
});
