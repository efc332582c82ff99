import { expect, test } from 'vitest';
import { where } from '../../../src/evaluate/lock-step.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { jsonOf } from '../../../src/treebank/json/json-sentence.ts';
import { textBatches } from '../../../src/treebank/reading/batches.ts';
import type { DependencyFormat } from '../../../src/treebank/reading/format.ts';
import { SkippedMarks } from '../../../src/treebank/reading/skipped-marks.ts';
import { readBatch } from '../../../src/treebank/reading/treebank-file.ts';

const good = (...comments: string[]) => [...comments, '1\tOui\t_\t_\t_\t_\t0\troot\t_\t_', '', ''].join('\n');
const bad = (...comments: string[]) => good(...comments).replace('\t0\t', '\t7\t');

/** Reads a text in batches of `size` characters, and writes the sentences that are valid. */
async function kept(text: string, format: DependencyFormat = 'conllu', size?: number): Promise<string> {
  const marks = new SkippedMarks();
  let written = '';
  const chunks = (async function* () {
    yield text;
  })();
  for await (const batch of textBatches(chunks, 'a', format, size))
    for (const sentence of readBatch(batch, { format, expect: 'trees', skipInvalid: true }, marks))
      written += formatSentence(sentence, format);
  return written;
}

const cases = [
  [
    'to the next sentence',
    bad('# newdoc id = d', '# newpar') + good('# text = Oui'),
    ['# newdoc id = d', '# newpar', '# text = Oui'],
  ],
  [
    'from several sentences',
    bad('# newdoc') + bad('# newpar id = p') + bad() + good(),
    ['# newdoc', '# newpar id = p'],
  ],
  [
    'unless the next sentence has its own',
    bad('# newdoc id = c', '# newpar') + good('# newdoc id = d'),
    ['# newdoc id = d'],
  ],
  [
    'separately for each kind',
    bad('# newdoc', '# newpar id = o') + good('# newpar id = p'),
    ['# newdoc', '# newpar id = p'],
  ],
  ['without newpar of an earlier document', bad('# newpar id = o') + bad('# newdoc') + good(), ['# newdoc']],
  ['without other comments', bad('# sent_id = a', '# newdocument') + good(), []],
] as const;

test.each(cases)('newdoc and newpar of skipped sentences are carried over %s', async (_, text, comments) => {
  expect(await kept(good() + text + good())).toBe(good() + good(...comments) + good());
});

test.each(cases)(
  'newdoc and newpar of skipped sentences are carried over %s, from batch to batch',
  async (_, text, comments) => {
    expect(await kept(text + good(), 'conllu', 10)).toBe(good(...comments) + good());
  },
);

test.each(cases)(
  'newdoc and newpar of skipped sentences are carried over %s, in JSON',
  async (_, text, comments) => {
    const json = (conllu: string) =>
      conllu
        .split(/(?<=\n\n)/)
        .map(jsonOf)
        .join('');
    expect(await kept(json(text + good()), 'json')).toBe(json(good(...comments) + good()));
  },
);

test('newdoc after a missing blank line is carried over, too', async () => {
  const joined = good().replace('\n\n', '\n') + good('# newdoc id = d');
  expect(await kept(joined + good())).toBe(good('# newdoc id = d'));
});

test('a sentence with newdoc of a skipped one keeps its own place and values', () => {
  const text = bad('# newdoc') + good('# sent_id = s');
  const batch = { file: 'a', line: 1, text };
  const [sentence] = readBatch(batch, { format: 'conllu', expect: 'trees', skipInvalid: true });
  expect(sentence!.source!.line).toBe(4);
  expect([0, 1].map((d) => where(sentence!, d, 1, 'gold'))).toEqual(['a:4', 'a:5']);
  const changed = formatSentence({ ...sentence!, lemmas: ['', 'oui'] }, 'conllu');
  expect(changed).toBe(good('# newdoc', '# sent_id = s').replace('Oui\t_', 'Oui\toui'));
});

test('CoNLL-U Plus still declares its columns if its first sentence is skipped', async () => {
  const declared = '# global.columns = ID FORM HEAD MINE\n';
  expect(await kept(`${declared}# newpar\n1\ta\t7\tx\n\n1\tb\t0\ty\n\n`, 'conllup')).toBe(
    `${declared}# newpar\n1\tb\t0\ty\n\n`,
  );
});
