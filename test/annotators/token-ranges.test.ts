import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tokenizer } from '../../annotators/annotator.ts';
import { withRanges } from '../../annotators/token-ranges.ts';
import { SentenceBuilder } from '../../annotators/tokenizer/tokenizer.ts';
import { surfaceTokens } from '../../src/treebank/surface.ts';

/** Cuts at white space; each line is a sentence, and “du” is split into the words “de” and “le”. */
const tokenizer = {
  task: 'tokenizer',
  save: () => undefined,
  open: (_, file = 'text') => {
    const builder = new SentenceBuilder(file);
    let before = '';
    return {
      push: (text: string) =>
        text.split(/(?<=\n)(?=\S)/).flatMap((line) => {
          const pieces = [...line.matchAll(/(\S+)(\s*)/g)];
          before += /^\s*/.exec(line)![0];
          for (const [, form, after] of pieces) {
            builder.add(before, form!, (word) => (word === 'du' ? ['de', 'le'] : undefined), after!);
            before = '';
          }
          return pieces.length === 0 ? [] : [builder.finish(false, false)];
        }),
      end: () => [],
    };
  },
} satisfies Tokenizer;

test('every token has a range; a multiword token has one instead of its words', () => {
  const [sentence] = withRanges(tokenizer).open().push(' vin  du 🍷 sud\n');
  const rows = sentence!.source!.text.match(/^\d.*$/gm)!.map((row) => row.split('\t'));
  expect(rows.map((row) => `${row[0]} ${row[1]} ${row[9]}`)).toEqual([
    '1 vin SpacesAfter=\\s\\s|SpacesBefore=\\s|TokenRange=1:4',
    '2-3 du TokenRange=6:8',
    '2 de _',
    '3 le _',
    '4 🍷 TokenRange=9:10',
    '5 sud SpacesAfter=\\n|TokenRange=11:14',
  ]);
  expect(sentence!.misc).toEqual(['', rows[0]![9], '_', '_', 'TokenRange=9:10', rows[5]![9]]);
});

test('a range gives the place of its token in the text', () => {
  const pieces = fc.constantFrom('a', 'du', '🍷', 'é', '|', ' ', '  ', '\n', '\t', '\u00a0');
  fc.assert(
    fc.property(
      fc.array(pieces).map((all) => all.join('')),
      (text) => {
        const characters = [...text];
        for (const sentence of withRanges(tokenizer).open().push(text)) {
          for (const { form, misc } of surfaceTokens(sentence)) {
            const [, start, end] = /TokenRange=(\d+):(\d+)$/.exec(misc)!;
            expect(characters.slice(Number(start), Number(end)).join('')).toBe(form);
          }
        }
      },
    ),
  );
});
