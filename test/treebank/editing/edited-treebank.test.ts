import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EditedTreebank } from '../../../src/treebank/editing/edited-treebank.ts';
import { type Edit, editedColumns } from '../../../src/treebank/editing/edits.ts';
import { problemsOf } from '../../../src/treebank/editing/problems.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';

/** A text with comments, a multiword token, an empty node, enhanced arcs, MISC and a byte-order mark. */
const rich = `\ufeff# sent_id = a
# note = stays\tas it is
# text = Vámonos al mar.
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\tGloss=let_us_go
1\tVamos\tir\tVERB\t_\tMood=Imp\t0\troot\t0:root\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t1:obj|1.1:x\t_
2.1\tnada\t_\tPRON\t_\t_\t_\t_\t1:dep\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t5:case\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t5:det\tRef=1
5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl:a\tSpaceAfter=No|Gloss=sea
6\t.\t.\tPUNCT\t_\t_\t1\tpunct\t1:punct\t_

# sent_id = b
# text = New York duerme
1\tNew York\tNew York\tPROPN\t_\t_\t2\tnsubj\t_\t_
2\tduerme\tdormir\tVERB\t_\t_\t0\troot\t_\tSpacesAfter=\\n

`.replace('1.1:x', '2.1:x');

const open = (text = rich) => new EditedTreebank(text);

/** The token lines, and comments, that an edit changes: before and after. */
function changed(edit: Edit, index = 0, text = rich): { gone: string[]; come: string[]; text: string } {
  const treebank = open(text);
  treebank.apply(index, edit);
  const [before, after] = [text.split('\n'), treebank.text.split('\n')];
  return {
    gone: before.filter((line) => !after.includes(line)),
    come: after.filter((line) => !before.includes(line)),
    text: treebank.text,
  };
}

describe('an edit, which changes the lines concerned and no other byte', () => {
  test('can attach a token to another head, also in DEPS if it repeats the arc', () => {
    expect(changed({ kind: 'attach', token: 5, head: 2 })).toMatchObject({
      gone: ['5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl:a\tSpaceAfter=No|Gloss=sea'],
      come: ['5\tmar\tmar\tNOUN\t_\t_\t2\tobl\t1:obl:a\tSpaceAfter=No|Gloss=sea'],
    });
    expect(changed({ kind: 'attach', token: 2, head: 5, label: 'nmod' }).come).toEqual([
      '2\tnos\tnosotros\tPRON\t_\t_\t5\tnmod\t2.1:x|5:nmod\t_',
    ]);
  });

  test('sets the label root when it attaches a token to the root, and removes it when it detaches one', () => {
    const [root] = changed({ kind: 'attach', token: 6, head: 0 }).come;
    expect(root).toBe('6\t.\t.\tPUNCT\t_\t_\t0\troot\t0:root\t_');
    const [away] = changed({ kind: 'attach', token: 1, head: 6 }).come;
    expect(away.split('\t').slice(6, 9)).toEqual(['6', 'dep', '6:dep']);
  });

  test('can set a column: an empty value becomes “_”, and “# text” follows SpaceAfter', () => {
    expect(changed({ kind: 'set', token: 5, column: 'misc', value: '' }).come).toEqual([
      '# text = Vámonos al mar .',
      '5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl:a\t_',
    ]);
    expect(changed({ kind: 'set', token: 5, column: 'label', value: 'obl:arg' }).come[0]).toContain(
      'obl:arg\t1:obl:a',
    );
  });

  test('can split a token, which renumbers tokens, ranges, empty nodes and DEPS', () => {
    const { come, text } = changed({ kind: 'split-token', token: 2, at: 1 });
    expect(text).toContain(
      [
        '1-3\tVámonos\t_\t_\t_\t_\t_\t_\t_\tGloss=let_us_go',
        '1\tVamos\tir\tVERB\t_\tMood=Imp\t0\troot\t0:root\t_',
        '2\tn\tnosotros\tPRON\t_\t_\t1\tobj\t1:obj|3.1:x\t_',
        '3\tos\t_\t_\t_\t_\t2\tdep\t2:dep\t_',
        '3.1\tnada\t_\tPRON\t_\t_\t_\t_\t1:dep\t_',
        '4-5\tal\t_\t_\t_\t_\t_\t_\t_\t_',
        '4\ta\ta\tADP\t_\t_\t6\tcase\t6:case\t_',
      ].join('\n'),
    );
    expect(come.some((line) => line.startsWith('# text'))).toBe(false);
  });

  test('can split a form at its space, and join it again to the same bytes', () => {
    const treebank = open();
    treebank.apply(1, { kind: 'split-token', token: 1, at: 3 });
    expect(treebank.sentence(1).forms).toEqual(['', 'New', 'York', 'duerme']);
    expect(treebank.sentence(1).heads).toEqual(Int32Array.of(-1, 3, 1, 0));
    treebank.apply(1, { kind: 'join-tokens', token: 1 });
    expect(treebank.sentence(1).forms).toEqual(['', 'New York', 'duerme']);
    expect(treebank.text).toContain('1\tNew York\tNew York\tPROPN\t_\t_\t2\tnsubj\t_\t_\n');
  });

  test('can join two tokens, with the arcs of both, and without a multiword token of one word', () => {
    const { text } = changed({ kind: 'join-tokens', token: 3 });
    expect(text).toContain('\n3\tal\tael\tADP\t_\t_\t4\tcase\t4:case\tRef=1\n4\tmar\t');
    expect(text).not.toContain('3-4');
    const end = changed({ kind: 'join-tokens', token: 5 });
    expect(end.come).toEqual(['5\tmar.\tmar.\tNOUN\t_\t_\t1\tobl\t1:obl:a\tGloss=sea']);
  });

  test('that joins tokens keeps one value per MISC key: the multiword token’s, or else the first’s', () => {
    const lines = [
      '1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tGloss=of.the',
      '1\tde\tde\tADP\t_\t_\t3\tcase\t_\tGloss=of|Ref=1',
    ];
    lines.push(
      '2\tel\tel\tDET\t_\t_\t3\tdet\t_\tRef=2|Gloss=the',
      '3\tmar\tmar\tNOUN\t_\t_\t0\troot\t_\tRef=3|New',
    );
    const treebank = open(`${lines.join('\n')}\n\n`);
    treebank.apply(0, { kind: 'join-tokens', token: 1 });
    expect(treebank.sentence(0).misc[1]).toBe('Gloss=of.the|Ref=1');
    treebank.apply(0, { kind: 'join-tokens', token: 1 });
    expect(treebank.sentence(0).misc[1]).toBe('Gloss=of.the|Ref=1|New');
  });

  test('can split a sentence in two, each with one root, its own id and text', () => {
    const { text } = changed({ kind: 'split-sentence', token: 3 });
    const sentences = readSentences(text, { expect: 'trees', singleRoot: true });
    expect(sentences.map(({ id }) => id)).toEqual(['a', 'a-2', 'b']);
    expect(text).toContain('# text = Vámonos\n');
    expect(text).toContain(
      [
        '2.1\tnada\t_\tPRON\t_\t_\t_\t_\t1:dep\t_',
        '',
        '# sent_id = a-2',
        '# text = al mar.',
        '1-2\tal\t_\t_\t_\t_\t_\t_\t_\t_',
        '1\ta\ta\tADP\t_\t_\t3\tcase\t3:case\t_',
        '2\tel\tel\tDET\t_\t_\t3\tdet\t3:det\tRef=1',
        '3\tmar\tmar\tNOUN\t_\t_\t0\troot\t0:root\tSpaceAfter=No|Gloss=sea',
        '4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t3:punct\t_',
        '',
      ].join('\n'),
    );
  });

  test('that splits a sentence attaches an empty node to the root if its head is in the other part', () => {
    const lines = [
      '1\tSue\t_\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\t_',
      '2\tlikes\t_\tVERB\t_\t_\t0\troot\t0:root\t_',
      '3\tBill\t_\tPROPN\t_\t_\t2\tconj\t3.1:nsubj\t_',
      '3.1\tlikes\t_\tVERB\t_\t_\t_\t_\t2:conj\t_',
      '4\ttea\t_\tNOUN\t_\t_\t3\torphan\t3.1:obj\t_',
    ];
    const { text } = changed({ kind: 'split-sentence', token: 3 }, 0, `${lines.join('\n')}\n\n`);
    expect(text).toContain(
      [
        '\n1\tBill\t_\tPROPN\t_\t_\t0\troot\t1.1:nsubj\t_',
        '1.1\tlikes\t_\tVERB\t_\t_\t_\t_\t0:root\t_',
        '2\ttea\t_\tNOUN\t_\t_\t1\torphan\t1.1:obj\t_\n',
      ].join('\n'),
    );
  });

  test('can join two sentences: the root of the second then depends on the root of the first', () => {
    const { text } = changed({ kind: 'join-sentences' });
    expect(text).toContain('# text = Vámonos al mar. New York duerme\n');
    expect(text).toMatch(
      /\n6\t\.\t[^\n]+\n7\tNew York\t[^\n]+\t8\tnsubj\t_\t_\n8\tduerme\t[^\n]+\t1\tparataxis\t_\t/,
    );
    expect(text).not.toContain('sent_id = b');
  });

  test.each<[Edit, string]>([
    [{ kind: 'attach', token: 5, head: 5 }, 'token 5 cannot be its own head'],
    [{ kind: 'attach', token: 5, head: 9 }, 'there is no token 9'],
    [{ kind: 'attach', token: 5, head: Number.NaN }, 'token 5 has no head, expected 0 or another token'],
    [{ kind: 'set', token: 9, column: 'upos', value: 'X' }, 'there is no token 9'],
    [{ kind: 'set', token: 1, column: 'form', value: ' ' }, 'a token has no form, expected some text'],
    [
      { kind: 'set', token: 1, column: 'upos', value: 'A\tB' },
      'upos: expected a value without tabs and line ends',
    ],
    ...(
      [
        { kind: 'set', token: 3, column: 'label', value: 'a|b' },
        { kind: 'attach', token: 3, head: 1, label: 'a|b' },
      ] as const
    ).map((edit): [Edit, string] => [
      edit,
      'label “a|b”, expected one without “|”, which separates arcs in DEPS',
    ]),
    [
      { kind: 'split-token', token: 1, at: 0 },
      'token 1: expected a place between two characters of its form',
    ],
    [{ kind: 'join-tokens', token: 6 }, 'token 6 is the last, expected one with another after it'],
    [{ kind: 'join-tokens', token: 2 }, 'tokens 2 and 3 do not belong to the same multiword token'],
    [
      { kind: 'split-sentence', token: 4 },
      'token 4 is within a multiword token, expected the first of a sentence',
    ],
    [{ kind: 'split-sentence', token: 1 }, 'token 1 begins its sentence already'],
  ])('%j is refused', (edit, message) => {
    const treebank = open();
    expect(() => treebank.apply(0, edit)).toThrow(message);
    expect(treebank.text).toBe(rich);
    expect(treebank.isChanged).toBe(false);
  });
});

describe('an edited treebank', () => {
  const edits = fc.record({
    index: fc.nat(3),
    edit: fc.oneof(
      fc.record({
        kind: fc.constant('set' as const),
        token: fc.integer({ min: 1, max: 8 }),
        column: fc.constantFrom(...(Object.keys(editedColumns) as (keyof typeof editedColumns)[])),
        value: fc.constantFrom('x', 'Ä b', '', 'A=B|C=D'),
      }),
      fc.record({
        kind: fc.constant('attach' as const),
        token: fc.integer({ min: 1, max: 8 }),
        head: fc.nat(8),
      }),
      fc.record({
        kind: fc.constant('split-token' as const),
        token: fc.integer({ min: 1, max: 8 }),
        at: fc.integer({ min: 1, max: 3 }),
      }),
      fc.record({
        kind: fc.constantFrom('join-tokens' as const, 'split-sentence' as const),
        token: fc.integer({ min: 1, max: 8 }),
      }),
      fc.record({ kind: fc.constant('join-sentences' as const) }),
    ),
  });

  test.each([
    ['LF', rich],
    ['CRLF', rich.replaceAll('\n', '\r\n')],
    ['no last line end', rich.trimEnd()],
  ])('can be read after any edits, and undoing and redoing them gives the same bytes: %s', (_, text) => {
    fc.assert(
      fc.property(fc.array(edits, { maxLength: 12 }), (steps) => {
        const treebank = open(text);
        const texts = [treebank.text];
        for (const { index, edit } of steps) {
          try {
            treebank.apply(index, edit);
          } catch (error) {
            expect((error as Error).name).toBe('UsageError');
          }
          if (treebank.text !== texts.at(-1)) texts.push(treebank.text);
          const read = readSentences(treebank.text);
          expect(read.map(({ source }) => source!.text).join('')).toBe(treebank.text);
          expect(read.map(({ forms }) => forms)).toEqual(read.map((_, i) => treebank.sentence(i).forms));
        }
        for (const each of texts.slice(0, -1).reverse()) {
          expect(treebank.undo()).toBeDefined();
          expect(treebank.text).toBe(each);
        }
        expect([treebank.undo(), treebank.isChanged]).toEqual([undefined, false]);
        for (const each of texts.slice(1)) {
          treebank.redo();
          expect(treebank.text).toBe(each);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('lists its values by frequency, and knows whether it has unsaved changes', () => {
    const treebank = open();
    expect(treebank.values('labels')[0]).toBe('root');
    treebank.apply(0, { kind: 'attach', token: 5, head: 2 });
    expect(treebank.isChanged).toBe(true);
    const { revision } = treebank;
    treebank.apply(0, { kind: 'attach', token: 5, head: 1 });
    treebank.setSaved(revision);
    expect(treebank.isChanged).toBe(true);
    treebank.undo();
    expect(treebank.isChanged).toBe(false);
    treebank.undo();
    expect([treebank.isChanged, treebank.canRedo]).toEqual([true, true]);
  });

  test('goes through the words from the least confident on', () => {
    const row = (id: number, misc: string) => `${id}\ta${'\t_'.repeat(7)}\t${misc}\n`;
    const [first, second] = ['0.9', '0.5'].map(
      (figure) => row(1, `Confidence=${figure}`) + row(2, 'A=B|Confidence=0.7'),
    );
    const treebank = open(`${first}\n${second}\n`);
    const seen = [];
    for (let word = treebank.nextUnsure(); word !== undefined; word = treebank.nextUnsure(word))
      seen.push(word);
    expect(seen.map(({ index, token, confidence }) => [index, token, confidence])).toEqual([
      [1, 1, 0.5],
      [0, 2, 0.7],
      [1, 2, 0.7],
      [0, 1, 0.9],
    ]);
    expect(open().nextUnsure()).toBeUndefined();
  });

  test('must be CoNLL-U', () => {
    expect(() => open('')).toThrow('no sentences');
    expect(() => open('(S (NP (NN a)) (VP (VBZ b)))')).toThrow('text: format brackets, expected CoNLL-U');
    const row = (form: string) => `1\t${form}${'\t_'.repeat(8)}\n`;
    expect(() => open(row('a') + row('b'))).toThrow('text:2: token id 1 occurs twice');
  });
});

describe('the problems of a sentence', () => {
  const problems = (rows: string, isUniversal = true) => {
    const lines = rows.split(' ').map((row, i) => {
      const [form, upos, head, label, feats = '_'] = row.split('/');
      return `${i + 1}\t${form}\t_\t${upos}\t_\t${feats}\t${head}\t${label}\t_\t_\n`;
    });
    return problemsOf(readSentences(`${lines.join('')}\n`)[0], isUniversal).map(
      ({ token, text }) => `${token}: ${text}`,
    );
  };

  test('are not found in a valid tree', () => {
    expect(problems('Dogs/NOUN/2/nsubj bark/VERB/0/root ./PUNCT/2/punct')).toEqual([]);
    expect(problems('Dogs/NNS/2/sbj bark/VBP/0/top', false)).toEqual([]);
  });

  test.each([
    ['a/X/0/root b/X/0/root', '2: another root beside word 1, expected one'],
    ['a/X/2/dep b/X/1/dep', '1: no root: no word depends on the root of the sentence', '1: cycle: 1 → 2 → 1'],
    ['a/X/_/_ b/X/0/root', '1: no head', '1: _ is not a relation of UD'],
    ['a/N/2/dep b/X/0/root', '1: N is not a tag of UD'],
    ['a/N/2/foo b/X/0/root', '1: N is not a tag of UD', '1: foo is not a relation of UD'],
    ['a/X/2/foo b/X/0/root', '1: foo is not a relation of UD'],
    ['a/X/2/dep b/X/0/dep', '2: dep at the root, expected root'],
    ['a/NOUN/2/det b/NOUN/0/root', '1: det with the tag NOUN'],
    ['a/ADV/2/advmod b/ADP/3/case c/NOUN/0/root'],
    ['a/NOUN/2/nmod b/ADP/3/case c/NOUN/0/root', '1: nmod of b, which is case and has no such dependents'],
    ['a/X/2/conj b/X/0/root', '1: conj before its head, expected after it'],
    ['a/NOUN/3/nsubj b/NOUN/3/nsubj c/VERB/0/root', '2: a second subject beside word 1'],
    ['a/NOUN/0/root/B=1|A=2', '1: features out of order, expected them sorted by name, each once'],
    ['a/NOUN/0/root/b', '1: features b, expected Name=Value|Name=Value'],
    [
      'a/NOUN/3/obj ./PUNCT/4/punct c/VERB/4/acl d/VERB/0/root',
      '2: punctuation that makes the arc of word 1 non-projective',
    ],
    ['./PUNCT/2/dep b/X/0/root', '1: PUNCT as dep, expected punct'],
  ])('%s', (rows, ...expected) => {
    expect(problems(rows)).toEqual(expected);
  });
});
