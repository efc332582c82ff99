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
];

describe.each(pages)('%s', (page) => {
  const examples = documentedCode(page).map((example, i) => ({ ...example, name: `example-${i + 1}` }));
  const project = new UserProject('docs');

  beforeAll(() => {
    for (const file of ['train.conllu', 'dev.conllu', 'test.conllu', 'train.mrg', 'dev.mrg']) {
      copyFileSync(join(packageFolder, 'data', 'sample', file), project.path(file));
    }
    for (const { name, code } of examples) project.write(`${name}.ts`, code);
  });

  test('has examples, which are TypeScript without faults', () => {
    expect(examples).not.toEqual([]);
    const { status, stdout } = project.compile();
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  test.each(examples)('$name prints what it is said to', ({ name, output }) => {
    const { status, stdout, stderr } = project.node(`${name}.js`);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    if (output !== undefined) expect(stdout).toBe(output);
  });
});
