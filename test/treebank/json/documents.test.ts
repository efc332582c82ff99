import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseJson } from '../../../src/files/json-file.ts';
import { formatSentence, lostIn } from '../../../src/treebank/columns/write.ts';
import { type DocumentFormat, Documents, documentText } from '../../../src/treebank/json/documents.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';

/**
 * A document as Stanza’s `Document.to_dict()` gives it according to its documentation
 * (https://stanfordnlp.github.io/stanza/data_objects.html).
 */
const stanza = [
  [
    { id: [1, 2], text: 'Vámonos', ner: 'O', start_char: 0, end_char: 7 },
    { id: 1, text: 'Vamos', lemma: 'ir', upos: 'VERB', feats: 'Mood=Imp', head: 0, deprel: 'root' },
    { id: 2, text: 'nos', lemma: 'yo', upos: 'PRON', head: 1, deprel: 'obj' },
    {
      id: 3,
      text: '😀',
      upos: 'SYM',
      head: 1,
      deprel: 'discourse',
      misc: 'SpaceAfter=No',
      start_char: 8,
      end_char: 9,
      ner: 'O',
    },
    { id: 4, text: '.', upos: 'PUNCT', head: 1, deprel: 'punct', start_char: 9, end_char: 10, ner: 'O' },
  ],
  [{ id: 1, text: 'Sí', upos: 'INTJ', head: 0, deprel: 'root', start_char: 11, end_char: 13, ner: 'O' }],
];

/**
 * A document as spaCy’s `Doc.to_json()` gives it (https://spacy.io/api/doc#to_json): offsets count characters, and
 * heads are numbered through the document.
 */
const spacy = {
  text: '😀 Dogs bark.\nYes!',
  ents: [],
  sents: [
    { start: 0, end: 12 },
    { start: 13, end: 17 },
  ],
  tokens: [
    { id: 0, start: 0, end: 1, tag: 'SYM', pos: 'SYM', morph: '', lemma: '😀', dep: 'dep', head: 2 },
    {
      id: 1,
      start: 2,
      end: 6,
      tag: 'NNS',
      pos: 'NOUN',
      morph: 'Number=Plur',
      lemma: 'dog',
      dep: 'nsubj',
      head: 2,
    },
    { id: 2, start: 7, end: 11, tag: 'VBP', pos: 'VERB', morph: '', lemma: 'bark', dep: 'ROOT', head: 2 },
    { id: 3, start: 11, end: 12, tag: '.', pos: 'PUNCT', morph: '', lemma: '.', dep: 'punct', head: 2 },
    { id: 4, start: 13, end: 16, tag: 'UH', pos: 'INTJ', morph: '', lemma: 'yes', dep: 'ROOT', head: 4 },
    { id: 5, start: 16, end: 17, tag: '.', pos: 'PUNCT', morph: '', lemma: '!', dep: 'punct', head: 4 },
  ],
};

const conlluOf = (document: unknown, format: DocumentFormat) =>
  Documents.read(JSON.stringify(document), format, 'f')
    .sentences.map((sentence) => formatSentence(sentence, 'conllu'))
    .join('');

test('Stanza’s JSON stays the same when converted to CoNLL-U and back', () => {
  const conllu = conlluOf(stanza, 'stanza');
  expect(conllu).toContain(
    '1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\tstart_char=0|end_char=7|ner=O\n1\tVamos\tir\tVERB\t_\tMood=Imp\t0\troot\t_\t_\n',
  );
  expect(conllu).toContain(
    '3\t😀\t_\tSYM\t_\t_\t1\tdiscourse\t_\tSpaceAfter=No|start_char=8|end_char=9|ner=O\n',
  );
  const sentences = readSentences(conllu);
  expect(JSON.parse(documentText(sentences, 'stanza'))).toEqual(stanza);
  expect(sentences.flatMap((each) => lostIn(each, 'stanza'))).toEqual([]);
  // A single sentence, and one document per line, are accepted, too.
  expect(conlluOf(stanza[1], 'stanza')).toMatch(/^1\tSí\t/);
  const lines = stanza.map((each) => JSON.stringify([each])).join('\n');
  expect(Documents.read(lines, 'stanza', 'f').sentences).toHaveLength(2);
});

test.each([
  ['spacy', spacy],
  ['stanza', stanza],
] as const)('a byte-order mark before %s’s JSON is dropped', (format, document) => {
  const text = JSON.stringify(document);
  const documents = Documents.read(`\ufeff${text}`, format, 'f');
  expect(documents.textWith(documents.sentences)).toBe(text);
});

test('empty nodes follow their words in CoNLL-U, but the whole multiword token in Stanza’s JSON', () => {
  const word = (id: number, text: string, head: number) => ({ id, text, head, deprel: 'dep' });
  const document = [
    [
      { id: [0, 1], text: 'Yo', lemma: 'yo', deps: '2:nsubj', misc: 'Ref=1' },
      word(1, 'Sí', 2),
      { id: [1, 1], text: 'e' },
      { id: [1, 2], text: 'f' },
      { id: [2, 3], text: 'vámonos', start_char: 3, end_char: 10 },
      word(2, 'vamos', 0),
      word(3, 'nos', 2),
      { id: [2, 1], text: 'g' },
      { id: [3, 1], text: 'h' },
      { ...word(4, '.', 2), start_char: 10, end_char: 11 },
    ],
  ];
  const conllu = conlluOf(document, 'stanza');
  expect(conllu.match(/^\S+\t\S+/gm)?.map((line) => line.replace('\t', ' '))).toEqual([
    '0.1 Yo',
    '1 Sí',
    '1.1 e',
    '1.2 f',
    '2-3 vámonos',
    '2 vamos',
    '2.1 g',
    '3 nos',
    '3.1 h',
    '4 .',
  ]);
  expect(conllu).toContain('0.1\tYo\tyo\t_\t_\t_\t_\t_\t2:nsubj\tRef=1\n');
  expect(conllu).toContain('\tSpaceAfter=No|start_char=3|end_char=10\n');
  const withSpaces = document.map((tokens) =>
    tokens.map((token) => (token.text === 'vámonos' ? { ...token, misc: 'SpaceAfter=No' } : token)),
  );
  const again = documentText(readSentences(conllu.replaceAll('\n', '\r\n')), 'stanza');
  expect(JSON.parse(again)).toEqual(withSpaces);
});

test('spaCy’s JSON stays the same when converted to CoNLL-U and back, with offsets in characters', () => {
  const conllu = conlluOf(spacy, 'spacy');
  expect(conllu).toContain(
    '# text = 😀 Dogs bark.\n1\t😀\t😀\tSYM\tSYM\t_\t3\tdep\t_\t_\n2\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t3\tnsubj\t_\t_\n',
  );
  expect(conllu).toContain('4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\tSpacesAfter=\\n\n');
  expect(JSON.parse(documentText(readSentences(conllu), 'spacy'))).toEqual(spacy);
});

test('spaCy’s text has no blanks between words that together spell their multiword token', () => {
  const tokens = [
    ['1-2', "didn't"],
    ['1', 'did'],
    ['2', "n't"],
    ['3-4', 'au'],
    ['3', 'à'],
    ['4', 'le'],
    ['5-6', "can't", 'SpaceAfter=No'],
    ['5', 'ca'],
    ['6', "n't"],
    ['7-8', 'gonna', 'SpacesAfter=\\n'],
    ['7', 'gon'],
    ['8', 'na'],
  ];
  const rows = tokens.map(([id, form, misc = '_']) => `${id}\t${form}${'\t_'.repeat(7)}\t${misc}\n`).join('');
  const { text } = JSON.parse(documentText(readSentences(`${rows}\n`, { expect: 'tokens' }), 'spacy'));
  expect(text).toBe("didn't à le can'tgonna\n");
});

test('spaCy’s text has the white space before, in and between tokens, and its offsets count it', () => {
  const tokens = ['SpacesBefore=\\s\\s|SpacesInToken=New\\s\\sYork|SpacesAfter=\\n', 'SpaceAfter=No'].map(
    (misc, i) => `${i + 1}\t${['New York', 'sleeps'][i]}${'\t_'.repeat(7)}\t${misc}\n`,
  );
  const document = JSON.parse(
    documentText(readSentences(`${tokens.join('')}\n`, { expect: 'tokens' }), 'spacy'),
  );
  expect(document.text).toBe('  New  York\nsleeps');
  expect(document.tokens).toMatchObject([
    { start: 2, end: 11 },
    { start: 12, end: 18 },
  ]);
  expect(document.sents).toEqual([{ start: 2, end: 18 }]);
});

/**
 * Files written with Python, as the tools do it: with `json.dumps` from `Document.to_dict()` and `Doc.to_json()`, with
 * `str(document)`, and with `srsly`.
 */
const files = [
  'stanza-str.json',
  'stanza-dumps.json',
  'spacy-dumps.json',
  'spacy-indented.json',
  'spacy.jsonl',
];

test.each(files)('%s comes back byte for byte, except for changed values', (name) => {
  const text = readFileSync(new URL(`documents/${name}`, import.meta.url), 'utf8');
  const format = name.startsWith('spacy') ? 'spacy' : 'stanza';
  const documents = Documents.read(text, format, name);
  const { sentences } = documents;
  expect(documents.textWith(sentences)).toBe(text);
  const again = readSentences(sentences.map((each) => formatSentence(each, 'conllu')).join(''));
  expect(Documents.read(text, format, name).textWith(again)).toBe(text);

  const changed = sentences.map((each) => ({
    ...each,
    lemmas: each.lemmas.map((lemma, d) => (d === 1 ? 'été' : lemma)),
    labels: each.labels.map((label) => (label === 'punct' ? 'dep' : label)),
  }));
  const written = documents.textWith(changed);
  expect(Documents.read(written, format, name).sentences.map((each) => [each.lemmas, each.labels])).toEqual(
    changed.map((each) => [each.lemmas, each.labels]),
  );
  // New fields of a word stand where Stanza or spaCy would put them.
  if (name === 'stanza-str.json')
    expect(written).toContain('"text": "Sí",\n      "lemma": "été",\n      "upos": "INTJ"');
  if (name === 'stanza-dumps.json') expect(written).toContain('"lemma": "\\u00e9t\\u00e9"');
  if (name === 'spacy.jsonl') expect(written).toContain('{"id":0,"start":0,"end":2,"lemma":"été"}');
});

test('tokens of white space become spaces between words, and their dependents go to their heads', () => {
  const text = 'a \n b';
  const tokens = [
    { id: 0, start: 0, end: 1, dep: 'ROOT', head: 0 },
    { id: 1, start: 2, end: 3, pos: 'SPACE', dep: 'dep', head: 0 },
    { id: 2, start: 4, end: 5, dep: 'obj', head: 1 },
  ];
  expect(conlluOf({ text, tokens }, 'spacy')).toContain(
    '1\ta\t_\t_\t_\t_\t0\troot\t_\tSpacesAfter=\\s\\n\\s\n2\tb\t_\t_\t_\t_\t1\tobj\t_\t_\n',
  );
});

test.each([
  ['spacy', '{"text":"a"}', 'f:1: no text and tokens, expected a document of spaCy'],
  ['spacy', '{"text":"a b","tokens":[]}\n\n{', 'f:3: no JSON in “{”, expected one document, or one per line'],
  [
    'spacy',
    '{"text":"a","tokens":[{"start":0,"end":1,"head":7}]}',
    'f:1: the head of token 0, 7, is not in its sentence',
  ],
  [
    'spacy',
    '{"text":"a b","tokens":[{"start":0,"end":1},{"start":2,"end":4}]}',
    'f:1: token 1 ends at 4, expected at most 3, the length of the text',
  ],
  [
    'spacy',
    '{"text":"a  ","tokens":[{"start":0,"end":1,"head":1},{"start":1,"end":2,"head":2},{"start":2,"end":3,"head":1}]}',
    'f:1: the heads above token 0 form a cycle',
  ],
  ['spacy', '{"text":"a","tokens":[null]}', 'f:1: token 0 is “null”, expected an object'],
  [
    'spacy',
    '{"text":"a","tokens":[{"start":0,"end":1},{"id":1}]}',
    'f:1: token 1: start missing, end missing, expected 0 ≤ start ≤ end',
  ],
  [
    'spacy',
    '{"text":"a b","tokens":[{"start":2,"end":1.5}]}',
    'f:1: token 0: start “2”, end “1.5”, expected 0 ≤ start ≤ end',
  ],
  ['spacy', '{"text":"a","tokens":[{"start":0,"end":1}],"sents":{}}', 'f:1: sents “{}”, expected a list'],
  [
    'spacy',
    '{"text":"a","tokens":[{"start":0,"end":1}],"sents":[null]}',
    'f:1: sentence 1 is “null”, expected an object',
  ],
  ...['{"start":0,"end":1}', '{"start":0,"end":2}', '{"start":0,"end":1},{"start":2,"end":3}'].map(
    (sents) =>
      [
        'spacy',
        `{"text":"a b","tokens":[{"start":0,"end":1},{"start":1,"end":3}],"sents":[${sents}]}`,
        'f:1: token 1 is in no sentence, expected each within start and end of one',
      ] as const,
  ),
  ['stanza', '[[null]]', 'f:1: sentence 1, token 1 is “null”, expected an object'],
  ['stanza', '[[{"id":1,"text":"a"},2]]', 'f:1: sentence 1, token 2 is “2”, expected an object'],
  ['stanza', '{"a":1}', 'f:1: no list of sentences, expected a document of Stanza'],
  ['stanza', '[[{"id":1}]]', 'f:1: token 1 has no text, expected a document of Stanza'],
  [
    'stanza',
    '[[{"id":1,"text":"a"}]]\n[[{"id":1,"text":"a"}],[{"id":1,"text":"a","head":3}]]',
    'f:2: sentence 2, token 1: head 3 is out of range, expected 0 to 1',
  ],
  [
    'stanza',
    '[[{"id":1,"text":"a"},{"id":[3,4],"text":"b"},{"id":2,"text":"b"}]]',
    'f:1: sentence 1, token 3-4: multiword range “3-4”, expected a range from 2 on',
  ],
  ['stanza', '[]', 'f: no sentences'],
] as const)('%s: %s is refused', (format, text, message) => {
  expect(() => Documents.read(text, format, 'f')).toThrow(message);
});

test('documents of Stanza and spaCy are recognised in the error message if no format is named', () => {
  expect(() => readSentences(JSON.stringify(spacy), { name: 'f' })).toThrow(
    'f:1: a document of spaCy: parliament convert reads it, with the format spacy',
  );
  for (const text of [JSON.stringify(stanza), JSON.stringify(stanza, null, 2)])
    expect(() => readSentences(text, { name: 'f' })).toThrow(
      /^f:1: format not recognised: .*: parliament convert reads Stanza’s JSON, with the format stanza$/,
    );
});

test('features of multiword tokens are kept, and their words get no SpaceAfter', () => {
  const document = [
    [
      { id: [1, 2], text: 'cant', feats: 'Typo=Yes', start_char: 0, end_char: 4 },
      { id: 1, text: 'ca', head: 0, deprel: 'root', start_char: 0, end_char: 2 },
      { id: 2, text: 'nt', head: 1, deprel: 'advmod', start_char: 2, end_char: 4 },
      { id: 3, text: '.', head: 1, deprel: 'punct', start_char: 4, end_char: 5 },
    ],
  ];
  const conllu = conlluOf(document, 'stanza');
  expect(conllu.match(/^\d\S*|Typo=Yes|SpaceAfter=No/gm)).toEqual([
    ...['1-2', 'Typo=Yes', 'SpaceAfter=No'],
    ...['1', '2', '3'],
  ]);
  const [sentence] = readSentences(conllu);
  expect(documentText([sentence!], 'stanza')).toContain('Typo=Yes');
});

test('a string of twelve million characters is read', () => {
  const text = `${'"'.repeat(2)}${'a'.repeat(1.2e7)}`;
  const document = [[{ id: 1, text: 'a', lemma: 'b', head: 0, deprel: 'root', misc: text }]];
  expect(() => Documents.read(JSON.stringify(document), 'stanza', 'f')).not.toThrow();
  expect(parseJson(JSON.stringify({ a: text }), 'f')).toEqual({ a: text });
});
