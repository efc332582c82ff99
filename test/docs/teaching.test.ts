import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { runHere } from '../support/run-in-process.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('teaching');
for (const file of ['train.conllu', 'dev.conllu', 'test.conllu', 'train.mrg', 'test.mrg'])
  copyFileSync(join(packageFolder, 'data', 'sample', file), sandbox.path(file));

const pages = ['teaching.md', 'teaching-advanced.md'].map((name) =>
  readFileSync(join(packageFolder, 'docs', name), 'utf8'),
);
const sections = pages.flatMap((page) => page.split(/^## /m).slice(1));
/** For each section, a statement on the page that the output of its commands must confirm. */
const said: readonly RegExp[] = [
  /^Round 1: .* A cycle: .* From now on it is one node\.$/m,
  /^ +12 +bark \| \(root\) +LEFT root +– +✓$/m,
  /^Built in 16 steps; the two adjacent trees in focus are in brackets\.$/m,
  /^ +NP → PRP +−1\.386 /m,
  /: \d+ symbols, \d+ after splitting, \d+ after merging$/m,
  /together +what words tell only together/,
  /^sentences where these heads form a cycle +1 /m,
];

test.each(sections.map((text, i) => ({ title: text.split('\n')[0]!, text, i })))(
  '$title',
  async ({ text, i }) => {
    const printed: string[] = [];
    for (const [, block] of text.matchAll(/^```sh\n(.*?)^```$/gms)) {
      for (const [, file, rows, command] of block!.matchAll(
        /^cat > (\S+) <<'END'\n(.*?)^END$|^parliament ([^\n]*)$/gms,
      )) {
        if (file !== undefined) sandbox.save(file, rows!);
        else {
          const words = [...command!.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
          const { status, stdout, stderr } = await runHere(words, { cwd: sandbox.folder });
          expect({ command, status }, stderr).toEqual({ command, status: 0 });
          printed.push(stdout, stderr);
        }
      }
    }
    expect(printed.join('\n')).toMatch(said[i]!);
  },
  300_000,
);
