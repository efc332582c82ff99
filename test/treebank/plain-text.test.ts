import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { PlainText } from '../../src/treebank/surface.ts';
import { needsShared, sharedPath } from '../support/shared.ts';

function textOf(conllu: string): string {
  const text = new PlainText();
  const parts = readSentences(conllu).map((sentence) => text.add(sentence));
  return parts.join('') + text.end();
}

const token = (form: string, misc = '_') => `1\t${form}\t_\t_\t_\t_\t_\t_\t_\t${misc}\n\n`;

test('sentences follow each other, with a blank line between paragraphs', () => {
  expect(textOf(token('a') + token('b', 'SpaceAfter=No') + token('c'))).toBe('a bc\n');
  expect(textOf(`# newdoc\n${token('a')}# newpar\n${token('b', 'SpaceAfter=No')}`)).toBe('a\n\nb');
  expect(textOf(`${token('a', 'SpaceAfter=No')}# newdoc\n${token('b')}`)).toBe('a\n\nb\n');
});

test('the white space after a token stays as MISC has it', () => {
  const told = `${token('a', 'SpacesAfter=\\s\\n\\n\\n')}# newpar\n${token('b', 'SpacesAfter=\\n')}`;
  expect(textOf(told)).toBe('a \n\n\nb\n');
  for (const end of ['\\r', '\u2028', '\u2029'])
    expect(textOf(`${token('a', `SpacesAfter=${end}`)}# newpar\n${token('b')}`)).toMatch(
      /^a[\r\u2028\u2029]b\n$/,
    );
  expect(textOf(token('a', 'SpacesAfter=\\s\\s') + token('b', 'SpacesAfter=\\n'))).toBe('a  b\n');
});

needsShared.test(
  'the text of UD English EWT dev is the raw text of the shared task, except for line breaks',
  () => {
    const treebank = readFileSync(sharedPath('treebanks/ud-english-ewt/en_ewt-ud-dev.conllu'), 'utf8');
    const raw = readFileSync(sharedPath('oracles/raw-text/ewt-dev.txt'), 'utf8');
    const paragraphs = (text: string) =>
      text
        .trim()
        .split(/\n\s*\n/)
        .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim());
    expect(paragraphs(textOf(treebank))).toEqual(paragraphs(raw));
  },
);
