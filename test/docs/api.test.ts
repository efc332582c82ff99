import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { documentedCode } from '../support/documented-code.ts';
import { UserProject } from '../support/user-project.ts';

const pages = [
  'README.md',
  'docs/api.md',
  'docs/api-sentences.md',
  'docs/api-compare.md',
  'docs/api-text.md',
  'docs/explain.md',
  'docs/stacking.md',
  'docs/finding.md',
].map((page) => ({
  page,
  // Two pages continue the examples of docs/api.md.
  folder: page.replace(/-(sentences|compare)(?=\.md$)/, ''),
  examples: documentedCode(page).map((example, i) => ({
    ...example,
    name: `${basename(page, '.md')}-${i + 1}`,
  })),
}));
const project = new UserProject('docs');

beforeAll(() => {
  for (const { folder, examples } of pages) {
    for (const { name, code } of examples) project.write(join(folder, `${name}.ts`), code);
    for (const file of ['train.conllu', 'dev.conllu', 'test.conllu', 'train.mrg', 'dev.mrg']) {
      copyFileSync(join(packageFolder, 'data', 'sample', file), project.path(join(folder, file)));
    }
  }
});

test('the examples of all pages compile as TypeScript', () => {
  const { status, stdout } = project.compile();
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

/** Marks where the output of each example begins. */
const mark = '=== example ===\n';

describe.each(pages)('$page', ({ folder, examples }) => {
  let printed: string[] = [];
  beforeAll(() => {
    const script = examples.map(
      ({ name }) => `process.stdout.write(${JSON.stringify(mark)}); await import('./${name}.js');\n`,
    );
    project.write(join(folder, 'all.js'), script.join(''));
    const { status, stdout, stderr } = project.node(['all.js'], folder);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    printed = stdout.split(mark).slice(1);
  }, 300_000);

  test('has examples that all run', () => expect(printed).toHaveLength(examples.length));

  test.each(examples.map((example, i) => ({ ...example, i })))(
    '$name prints the output that the page shows',
    ({ i, output }) => {
      if (output !== undefined) expect(printed[i]).toBe(output);
    },
  );
});
