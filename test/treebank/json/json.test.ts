import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { formatSentence, lostIn } from '../../../src/treebank/columns/write.ts';
import { universalSource } from '../../../src/treebank/json/read-json.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import { sentenceOf } from '../../../src/treebank/sentence.ts';
import { startsParagraph, surfaceTokens, textOf } from '../../../src/treebank/surface.ts';

const conllu = `\
# newdoc id = letters
# newpar
# sent_id = one
# text = Él no va.
# mood = sad
1	Él	él	PRON	PP	Person=3|Number=Sing	3	nsubj	3:nsubj	_
2-3	nova	_	_	_	Typo=Yes	_	_	_	SpaceAfter=No
2	no	no	ADV	RN	_	3	advmod	_	_
3	va	ir	VERB	VM	_	0	root	_	SpaceAfter=No
3.1	e	_	_	_	_	_	_	3:conj	_
4	.	.	PUNCT	Fp	_	3	punct	_	_

`;
const json =
  '{"newdoc":"letters","newpar":true,"id":"one","text":"Él no va.","comments":["# mood = sad"],"tokens":[' +
  '{"id":1,"form":"Él","lemma":"él","upos":"PRON","xpos":"PP","feats":"Person=3|Number=Sing","head":3,"deprel":"nsubj","deps":"3:nsubj"},' +
  '{"id":2,"form":"no","lemma":"no","upos":"ADV","xpos":"RN","head":3,"deprel":"advmod"},' +
  '{"id":3,"form":"va","lemma":"ir","upos":"VERB","xpos":"VM","head":0,"deprel":"root","misc":"SpaceAfter=No"},' +
  '{"id":4,"form":".","lemma":".","upos":"PUNCT","xpos":"Fp","head":3,"deprel":"punct"}],' +
  '"multiwordTokens":[{"id":"2-3","form":"nova","feats":"Typo=Yes","misc":"SpaceAfter=No"}],' +
  '"emptyNodes":[{"id":"3.1","form":"e","deps":"3:conj"}]}\n';

const read = (text: string) => readSentences(text, { name: 'file' });
const asJson = (text: string) => read(text).map((each) => formatSentence(each, 'json'));
const asConllu = (text: string) => read(text).map((each) => formatSentence(each, 'conllu'));

describe('a CoNLL-U sentence written as a line of JSON', () => {
  test('has its comments, multiword tokens and empty nodes, and becomes the same CoNLL-U again', () => {
    expect(asJson(conllu)).toEqual([json]);
    expect(asConllu(json)).toEqual([conllu]);
  });

  test('loses nothing, and lostIn names the parts that CoNLL-X has no place for', () => {
    const [one] = read(json);
    expect(lostIn(one!, 'conllu')).toEqual([]);
    expect(lostIn(read(conllu)[0]!, 'json')).toEqual([]);
    expect(lostIn(one!, 'conllx')).toEqual(['comments', 'multiword tokens', 'empty nodes', 'DEPS', 'MISC']);
  });

  test('keeps comments in an unusual order or spelling as they are', () => {
    for (const comments of [
      '# text = a\n# sent_id = 1\n',
      '#sent_id=1\n',
      '# sent_id = 1\n# sent_id = 2\n',
      '# sent_id = 1 \n',
      '# sent_id =  \n',
      '# newpar\n# newdoc\n',
      '# other\n# text = \n',
      '#\n',
    ]) {
      const text = `${comments}1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n`;
      expect(asConllu(asJson(text).join(''))).toEqual([text]);
    }
    const [line] = asJson('#sent_id=1\n# text = a\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n');
    expect(JSON.parse(line!)).toEqual({
      id: '1',
      text: 'a',
      comments: ['#sent_id=1', '# text = a'],
      tokens: [{ id: 1, form: 'a' }],
    });
  });

  test('keeps an id with a million blanks, in less than quadratic time', () => {
    const id = `x${' '.repeat(1e6)}y`;
    const [line] = asJson(`# sent_id = ${id}\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n`);
    expect(JSON.parse(line!).id).toBe(id);
  });

  test('does not depend on CRLF, a byte-order mark or additional blank lines', () => {
    const [one] = asJson(`\ufeff\n${conllu.replaceAll('\n', '\r\n')}\r\n`);
    expect(one).toBe(json);
  });

  test('does not contain additional carriage returns before line ends, which CoNLL-U keeps', () => {
    const text = conllu.replace(/\n(?=.)/g, '\r\r\n');
    const [one] = read(text);
    expect(asJson(text)).toEqual([json]);
    expect(formatSentence(one!, 'conllu')).toBe(text);
    expect(formatSentence({ ...one!, misc: one!.misc.with(4, 'a=b') }, 'conllu')).toContain('punct\t_\ta=b');
  });

  test('has only the known fields of a sentence that a program has made', () => {
    const sentence = sentenceOf([{ form: 'Dogs', upos: 'NOUN' }, { form: '_' }]);
    const line = '{"tokens":[{"id":1,"form":"Dogs","upos":"NOUN"},{"id":2,"form":"_"}]}\n';
    expect(formatSentence(sentence, 'json')).toBe(line);
    const tree = { heads: Int32Array.of(-1, 2, 0), labels: ['', 'nsubj', 'root'] };
    const [{ tokens }] = [JSON.parse(formatSentence(sentence, 'json', tree))];
    expect(tokens[0]).toEqual({ id: 1, form: 'Dogs', upos: 'NOUN', head: 2, deprel: 'nsubj' });
  });
});

describe('a sentence of JSON', () => {
  test('is written back unchanged, unless a tree or tags are added', () => {
    const loose = '{ "tokens": [ {"form": "a", "lemma": null}, {"form": "b"} ] }\n\n';
    const [one] = read(loose);
    expect(formatSentence(one!, 'json')).toBe(loose);
    const tree = { heads: Int32Array.of(-1, 2, 0), labels: ['', 'dep', 'root'] };
    const parsed =
      '{"tokens":[{"id":1,"form":"a","head":2,"deprel":"dep"},{"id":2,"form":"b","head":0,"deprel":"root"}]}\n';
    expect(formatSentence(one!, 'json', tree)).toBe(parsed);
    expect(formatSentence({ ...one!, upos: ['', 'X', 'Y'] }, 'json')).toBe(
      '{"tokens":[{"id":1,"form":"a","upos":"X"},{"id":2,"form":"b","upos":"Y"}]}\n',
    );
  });

  test.each([json, `# global.columns = FORM ID\na\t1\n\n`])(
    'is converted to CoNLL-U only once: %s',
    (text) => {
      const [one] = read(text);
      const found = universalSource(one!)!;
      expect(found.format).toBe('conllu');
      expect(universalSource({ ...one! })).toBe(found);
    },
  );

  test('keeps a line separator inside the field for a comment', () => {
    const conllu = '# sent_id = a\u2028b\n# text = A\u2028B\n1\tA\t_\t_\t_\t_\t0\troot\t_\t_\n\n';
    const line = formatSentence(read(conllu)[0]!, 'json');
    expect(JSON.parse(line)).toMatchObject({ id: 'a\u2028b', text: 'A\u2028B' });
    expect(formatSentence(read(line)[0]!, 'conllu')).toBe(conllu);
  });

  test('has its id, its source text and its place in the file', () => {
    const [, one] = read(`\n{"tokens":[{"form":"x"}]}\n\n${json}`);
    expect(one).toMatchObject({ id: 'one', length: 4, source: { format: 'json', line: 4, text: json } });
    expect(surfaceTokens(one!).map(({ form }) => form)).toEqual(['Él', 'nova', '.']);
    expect(textOf(one!)).toBe('Él nova. ');
    expect(startsParagraph(one!)).toBe(true);
    expect([...one!.source!.lines]).toEqual([4, 4, 4, 4, 4]);
  });

  test.each([
    ['{"tokens":[{"form":"a"}', /^no JSON in “.*”, expected a sentence on one line/],
    ['{', /^no JSON/],
    ['{}', /^tokens missing, expected a list of at least one/],
    ['{"tokens":[]}', /^tokens “\[\]”, expected a list of at least one/],
    ['{"tokens":["a"]}', /^token 1 is “"a"”, expected an object$/],
    ['{"tokens":[{"form":"a"},{"lemma":"b"}]}', /^token 2: no form$/],
    ['{"tokens":[{"form":"a\\tb"}]}', /^token 1: form “"a\\tb"”, expected text without tabs/],
    ['{"tokens":[{"form":""}]}', /^token 1: form “""”, expected text/],
    ['{"tokens":[{"form":"a","label":"x"}]}', /^token 1 has a field “label”, expected some of id, form,/],
    ['{"tokens":[{"form":"a","feats":{"Case":"Nom"}}]}', /^token 1: feats “.*”, expected text/],
    ['{"tokens":[{"form":"a","head":1.5}]}', /^token 1: head “1.5”, expected an integer$/],
    ['{"tokens":[{"form":"a","head":7}]}', /^token 1: head 7 is out of range, expected 0 to 1$/],
    ['{"tokens":[{"form":"a"},{"id":3,"form":"b"}]}', /^token 2: token id 3, expected 2/],
    ['{"text":"a\\nb","tokens":[{"form":"a"}]}', /^text “.*”, expected text without line ends/],
    ['{"id":7,"tokens":[{"form":"a"}]}', /^id “7”, expected text/],
    [
      '{"comments":["x"],"tokens":[{"form":"a"}]}',
      /^comments “.*”, expected a list of lines that begin with #$/,
    ],
    [
      '{"id":"a","comments":["# sent_id = b"],"tokens":[{"form":"a"}]}',
      /^id “"a"”, but the comments have another value/,
    ],
    [
      '{"tokens":[{"form":"a"}],"multiwordTokens":[{"id":"2-3","form":"b"}]}',
      /^multiword token with id “"2-3"”/,
    ],
    [
      '{"tokens":[{"form":"a"}],"multiwordTokens":[{"id":"1-2","form":"b"}]}',
      /^multiword token 1-2: multiword range/,
    ],
    ['{"tokens":[{"form":"a"}],"emptyNodes":[{"id":1.1,"form":"b"}]}', /^empty node with id “1.1”/],
    ['{"tokens":[{"form":"a"}],"name":"x"}', /^a sentence has a field “name”, expected some of newdoc,/],
    ['[]', /^a sentence is “\[\]”, expected an object$/],
  ])('%s is refused, with its line', (line, problem) => {
    const text = `{"tokens":[{"form":"fine"}]}\n${line}\n`;
    let refused: unknown;
    try {
      readSentences(text, { name: 'file', format: 'json' });
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(InputError);
    const { problem: found, place } = refused as InputError;
    expect(found).toMatch(problem);
    expect(place).toEqual({ file: 'file', line: 2 });
    const skipped: InputError[] = [];
    const options = {
      format: 'json',
      skipInvalid: true,
      onSkip: (error: InputError) => skipped.push(error),
    } as const;
    expect(readSentences(text, options)).toHaveLength(1);
    expect(skipped).toHaveLength(1);
  });
});

describe('converting CoNLL-U to JSON and back', () => {
  const cell = fc.string({
    unit: fc.constantFrom(
      'a',
      'é',
      '"',
      '\\',
      ' ',
      '_',
      '#',
      '{',
      '|',
      '=',
      '\u2028',
      '\ud83d\ude00',
      '1',
      'a\rb',
    ),
    minLength: 1,
    maxLength: 4,
  });
  const cells = fc.array(cell, { minLength: 9, maxLength: 9 });
  const comment = fc.oneof(
    fc.constantFrom(
      '# newdoc',
      '# newdoc id = d',
      '# newpar',
      '# newpar id = 1',
      '# sent_id = s',
      '#sent_id=t',
    ),
    cell.map((text) => `# text = ${text}`),
    cell.map((text) => `#${text}`),
  );
  const sentence = fc
    .record({
      comments: fc.array(comment, { maxLength: 5 }),
      tokens: fc.array(
        fc.record({ cells, head: fc.nat(9), range: fc.boolean(), empty: fc.nat(2), number: fc.boolean() }),
        { minLength: 1, maxLength: 5 },
      ),
    })
    .map(({ comments, tokens }) => {
      const rows = tokens.flatMap(
        ({ cells: [form, lemma, upos, xpos, feats, label, deps, misc, other], head, range, empty }, i) => {
          const columns = (id: string, place: string) =>
            [id, form, lemma, upos, xpos, feats, place, label, deps, misc].join('\t');
          const d = i + 1;
          return [
            ...(range ? [`${d}-${d}\t${other}\t_\t_\t_\t${feats}\t_\t_\t_\t${misc}`] : []),
            columns(String(d), head > tokens.length ? '_' : String(head)),
            ...Array.from({ length: empty }, (_, e) => columns(`${d}.${e + 1}`, '_')),
          ];
        },
      );
      return `${[...comments, ...rows].join('\n')}\n\n`;
    });

  test('gives the same text for any columns and comments', () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 3 }), (sentences) => {
        const text = sentences.join('');
        const lines = readSentences(text, { format: 'conllu' }).map((each) => formatSentence(each, 'json'));
        expect(lines).toHaveLength(sentences.length);
        const back = readSentences(lines.join(''));
        expect(back.map((each) => formatSentence(each, 'conllu')).join('')).toBe(text);
        expect(back.map((each) => formatSentence(each, 'json'))).toEqual(lines);
      }),
      { numRuns: 300 },
    );
  });
});
