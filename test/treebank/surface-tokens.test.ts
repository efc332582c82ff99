import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { sentenceOf } from '../../src/treebank/sentence.ts';
import {
  escapeSpaces,
  inText,
  miscOf,
  originalText,
  spacesAfter,
  spacesBefore,
  startsParagraph,
  surfaceTokens,
  textOf,
  unescapeSpaces,
} from '../../src/treebank/surface.ts';

const [french] = readSentences(`# newpar
# sent_id = 1
1-2	Du	_	_	_	_	_	_	_	SpacesBefore=\\n
1	De	de	ADP	_	_	3	case	_	_
2	le	le	DET	_	_	3	det	_	_
3	pain	pain	NOUN	_	_	0	root	_	SpaceAfter=No
3.1	est	_	_	_	_	_	_	_	_
4	!	!	PUNCT	_	_	3	punct	_	SpacesAfter=\\s\\n\\n
5	1 000	_	NUM	_	_	3	dep	_	SpaceAfter=No|SpacesInToken=1\\s\\s000

`);

test('a line separator is part of a comment', () => {
  const comment = '# text = A\u2028B\u2029# newpar\rC';
  const [one] = readSentences(`# x\n${comment}\r\n1\tA\t_\t_\t_\t_\t0\troot\t_\t_\r\n\r\n`);
  expect(originalText(one!)).toBe(comment.slice('# text = '.length));
  expect(startsParagraph(one!)).toBe(false);
});

test('a multiword token is one surface token that covers all its words', () => {
  expect(surfaceTokens(french!).map(({ form, first, last }) => [form, first, last])).toEqual([
    ['Du', 1, 2],
    ['pain', 3, 3],
    ['!', 4, 4],
    ['1 000', 5, 5],
  ]);
});

test('the text of bracketed trees has brackets, / and *, while the forms keep their escapes', () => {
  const forms = ['-LRB-', 'p56-LRB-lck-RRB-', '1\\/2', 'x\\*y', '-LCB-', 'a\\b', '-RSB-'];
  const leaves = forms.map((form) => `(NN ${form})`).join(' ');
  const [sentence] = readSentences(`( (S ${leaves}) )\n`);
  expect(sentence!.forms.slice(1)).toEqual(forms);
  expect(textOf(sentence!)).toBe('( p56(lck) 1/2 x*y { a\\b ] ');
  expect(textOf({ ...sentence!, source: undefined })).toBe(`${forms.join(' ')} `);
});

test.each(['\n', '\r\n'])(
  'a multiword token is found in the first line after a byte-order mark, with line end %j',
  (end) => {
    const lines = ['\ufeff1-2\tDu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No', '1\tDe\t_\t_\t_\t_\t0\troot\t_\t_'];
    const [sentence] = readSentences([...lines, '2\tle\t_\t_\t_\t_\t1\tdet\t_\t_', '', ''].join(end));
    expect(surfaceTokens(sentence!)).toEqual([{ form: 'Du', first: 1, last: 2, misc: 'SpaceAfter=No' }]);
  },
);

test('comments are also read in the first line after a byte-order mark', () => {
  const tokens = '1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n';
  const [text] = readSentences(`\ufeff# text = a b\n${tokens}`);
  expect(originalText(text!)).toBe('a b');
  const [paragraph] = readSentences(`\ufeff# newpar\n${tokens}`);
  expect(startsParagraph(paragraph!)).toBe(true);
});

test('the text of a sentence has the white space before, after and inside its tokens', () => {
  expect(textOf(french!)).toBe('\nDu pain! \n\n1  000');
  expect(textOf(sentenceOf('Dogs bark'))).toBe('Dogs bark ');
});

test('a paragraph starts with newpar, but not with a comment that only begins with it', () => {
  expect(startsParagraph(french!)).toBe(true);
  const [plain] = readSentences('# newparty\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n');
  expect(startsParagraph(plain!)).toBe(false);
});

describe('any text between tokens', () => {
  const text = fc.string({
    unit: fc.constantFrom(' ', '\t', '\n', '\r', '|', '\\', 's', 'n', 'p', '\u3000'),
  });

  test('is escaped without blanks, line ends and bars, and comes back when it is unescaped', () => {
    fc.assert(
      fc.property(text, (spaces) => {
        expect(escapeSpaces(spaces)).not.toMatch(/[ \t\n\r|]/);
        expect(unescapeSpaces(escapeSpaces(spaces))).toBe(spaces);
      }),
    );
  });

  test('is stored in MISC and found there again', () => {
    fc.assert(
      fc.property(text, text, fc.option(text, { nil: undefined }), (before, after, inToken) => {
        const misc = miscOf(before, after, inToken);
        expect([spacesBefore(misc), spacesAfter(misc)]).toEqual([before, after]);
        expect(inText('form', misc)).toBe(inToken ?? 'form');
      }),
    );
  });
});
