import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ColumnAnnotator } from '../../annotators/annotator.ts';
import { fillFile } from '../../annotators/fill-file.ts';
import { InputError, UsageError } from '../../src/errors.ts';
import { smallTreebank } from '../support/damage.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('fill-file');

/** Fills lemmas with what a function makes of the forms, and features with a constant. */
const annotator = (value = (form: string) => form.toUpperCase()): ColumnAnnotator => ({
  task: 'echo',
  reads: [],
  writes: ['lemmas', 'feats'],
  save: () => {},
  annotate: ({ forms }) => ({ lemmas: forms.map(value), feats: forms.map(() => 'F=1') }),
});

async function filled(text: string, options: object = {}): Promise<string> {
  writeFileSync(sandbox.path('in'), text);
  await fillFile(annotator(), sandbox.path('in'), sandbox.path('out'), options);
  return readFileSync(sandbox.path('out'), 'utf8');
}

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
])(
  'everything but the filled columns stays the same, byte for byte, with %s line ends',
  async (_, lineEnd) => {
    const text = `\ufeff${smallTreebank.join(lineEnd)}`;
    const expected = `\ufeff${smallTreebank
      .map((line) => {
        const cells = line.split('\t');
        if (!/^\d+$/.test(cells[0])) return line;
        return cells.with(2, cells[1].toUpperCase()).with(5, 'F=1').join('\t');
      })
      .join(lineEnd)}`;
    expect(await filled(text)).toBe(expected);
  },
);

test('three columns, which have no place for the tags, become CoNLL-U; CoNLL-X does if requested', async () => {
  expect(await filled('a\tDT\t2\nb\tNN\t0\n\n')).toBe(
    '1\ta\tA\t_\tDT\tF=1\t2\t_\t_\t_\n2\tb\tB\t_\tNN\tF=1\t0\t_\t_\t_\n\n',
  );
  const conllx = '1\ta\t_\tDET\tDT\t_\t0\troot\n\n';
  expect(await filled(conllx)).toBe('1\ta\tA\tDET\tDT\tF=1\t0\troot\n\n');
  expect(await filled(conllx, { to: 'conllu' })).toBe('1\ta\tA\tDET\tDT\tF=1\t0\troot\t_\t_\n\n');
});

test('an output format without the filled columns is refused', async () => {
  await expect(filled('a\tDT\t0\n\n', { to: 'brackets' })).rejects.toThrow(UsageError);
});

test('an output that would replace the input is refused', async () => {
  const path = sandbox.save('same', 'a\tDT\t0\n\n');
  await expect(fillFile(annotator(), path, path)).rejects.toThrow(
    new UsageError(`the output ${path} would replace the input ${path}`),
  );
});

test('a malformed sentence prevents any output, or is skipped and reported if the options say so', async () => {
  const text = '1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\nx\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n';
  const [input, output] = [sandbox.path('bad'), sandbox.path('bad-out')];
  writeFileSync(input, text);
  await expect(fillFile(annotator(), input, output)).rejects.toThrow(InputError);
  expect(existsSync(output)).toBe(false);
  const told: number[] = [];
  const onSkip = ({ place }: InputError) => told.push(place.line!);
  const figures = await fillFile(annotator(), input, output, { skipInvalid: true, onSkip });
  expect([figures, told]).toEqual([{ sentences: 1, words: 1, skipped: 1 }, [3]]);
});
