import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/files/package-folder.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('prose');

/** What the checker of prose says of files, with their names alone. */
function check(...files: readonly string[]): { readonly status: number | null; readonly lines: string[] } {
  const words = [join(packageFolder, 'build', 'prose', 'main.mjs'), ...files];
  const options = { cwd: packageFolder, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, words, options);
  expect(stderr).toBe('');
  return { status, lines: stdout.trim().replaceAll(`${sandbox.folder}/`, '').split('\n') };
}

const wrongPage = `# Trees

A treebank
has mispelled words.

It has has trees.

The parser ${'reads a tree and '.repeat(11)}stops.
`;

const wrongSource = `/**
 * The first line is right.
 * The secnd one is not.
 */
throw new UsageError('the tree has a cylce in it');
// One comment on
// two lnies.
`;

const rightPage = `\`mispelled\` and [the treebank’s page](mispelled/page.html), in qwx.conllu at https://mispelled.org.

\`\`\`sh
parliament teh
\`\`\`

| teh | table |
| --- | --- |

<!-- table one -->

- Made by teh command.

<!-- end of one -->

With --mispeled <fiel> of ud-english-ewt, treebankOf's UAS is 90.1.
`;

const rightSource = `import { x } from './teh-treebank-of.ts';
run('parliament train teh fiel');
const style = 'p { colr: red and more }';
`;

test('npm run prose finds misspelt words, grammar and long sentences by file and line, and passes over code', () => {
  const { status, lines } = check(
    sandbox.save('wrong.md', wrongPage),
    sandbox.save('wrong.ts', wrongSource),
    sandbox.save('right.md', rightPage),
    sandbox.save('right.ts', rightSource),
  );
  expect(status).toBe(1);
  expect(lines.map((line) => line.replace(/”.*\[/, '” ['))).toEqual([
    'wrong.md:4: “mispelled” [SpellCheck]',
    'wrong.md:6: “has has” [RepeatedWords]',
    'wrong.md:8: “The parser reads a tree and reads a tree and reads a tree an…” [LongSentences]',
    'wrong.ts:3: “secnd” [SpellCheck]',
    'wrong.ts:5: “cylce” [SpellCheck]',
    'wrong.ts:7: “lnies” [SpellCheck]',
    '4 files read, 6 mistakes',
  ]);
});

test('prose and the documentation site are stages of the checks that run for every change', () => {
  const stages = readFileSync(join(packageFolder, '.ci', 'run'), 'utf8').match(/^stage npm run \S+/gm);
  expect(stages).toEqual(expect.arrayContaining(['stage npm run prose', 'stage npm run site']));
});
