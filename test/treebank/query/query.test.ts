import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Absences } from '../../../src/treebank/query/absences.ts';
import { Query } from '../../../src/treebank/query/query.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { naiveCount } from '../../support/naive-query.ts';
import { randomHeads } from '../../support/random-trees.ts';

const [sentence] = readSentences(
  [
    '1 The the DET DT Definite=Def 2 det _ _',
    '2 old old NOUN NN Number=Plur|Number[psor]=Sing 3 nsubj:pass _ _',
    '3 seemed seem VERB VBD Tense=Past 0 root _ SpaceAfter=No',
    '4 , , PUNCT , _ 3 punct _ _',
    '5 and and CCONJ CC _ 6 cc _ _',
    '6 slept sleep VERB VBD Tense=Past 3 conj _ _',
    '7 _ _ X _ _ 6 obl _ _',
  ]
    .map((line) => `${line.replaceAll(' ', '\t')}\n`)
    .join(''),
) as [Sentence];

/** The matches; they must be the same if only the columns that the query needs are read. */
const found = (text: string) => {
  const query = new Query(text);
  const [read] = readSentences(sentence.source!.text, { columns: query.columns([]) });
  const [all, same] = [sentence, read!].map((each) =>
    query.matches(each).map(({ nodes }) => Object.entries(nodes).flat().join(' ')),
  );
  expect(same).toEqual(all);
  return all;
};

describe('a query', () => {
  test.each([
    ['V [upos=VREB|VERB, Tense]; V.Case = V.Tense', ['the property Case', 'upos=VREB']],
    [
      'V [Csae=Nom, !Gender] -[nsubjj]-> S [form=/x/, head<>0]',
      ['the property Csae', 'the property head', 'label=nsubjj'],
    ],
    ['V [Number=Sing] -[nsubj:pass]-> S << V', ['Number=Sing']],
  ])('%s: no word has %j', (text, missing) => {
    const absences = new Absences(text);
    absences.see(sentence);
    expect(absences.all).toEqual(missing);
  });

  test.each([
    ['V [upos=VERB]', ['V 3', 'V 6']],
    ['V [lemma=seem|sleep, form<>slept]', ['V 3']],
    ['V [UPOS=VERB, DEPREL=root]', ['V 3']],
    ['W [form=/^S/i]', ['W 3', 'W 6']],
    ['W [form=re"s.*"]', ['W 3', 'W 6']],
    ['W [form=re"s"]', []],
    ['W [form=","]', ['W 4']],
    ['W [form="_"]', ['W 7']],
    ['W [!xpos]', ['W 7']],
    ['W [Number]', ['W 2']],
    ['W [Number=*, Number__psor=Sing]', ['W 2']],
    ['W [Number[psor]=Sing]', ['W 2']],
    ['W [SpaceAfter=No]', ['W 3']],
    ['W [constructor]', []],
    ['W [Tense<>Past]', []],
    ['V -[nsubj]-> S', []],
    ['V -[1=nsubj]-> S', ['V 3 S 2']],
    ['V -[2=pass]-> S', ['V 3 S 2']],
    ['V -[/^nsubj/|obl]-> S', ['V 3 S 2', 'V 6 S 7']],
    ['V [upos=VERB] -[^nsubj:pass|punct|conj]-> D', ['V 6 D 5', 'V 6 D 7']],
    ['* -[root]-> R', ['R 3']],
    ['V -> * [upos=VERB]', null],
    ['R ->> D [upos=DET]', ['R 2 D 1', 'R 3 D 1']],
    ['A [upos=VERB] << B [upos=VERB]', ['A 3 B 6']],
    ['A [upos=VERB] > B', ['A 3 B 2', 'A 6 B 5']],
    ['V -> S -> D', ['V 3 S 2 D 1', 'V 3 S 6 D 5', 'V 3 S 6 D 7']],
    ['A -> B; A.Tense = B.Tense', ['A 3 B 6']],
    ['A [upos=VERB]; B [upos=VERB]; A.form <> B.form; A << B', ['A 3 B 6']],
    ['pattern { V [upos=VERB] } without { V -[punct]-> P }', ['V 6']],
    ['request { V [upos=VERB]; } with { V -> * } without { V [lemma=seem] }', ['V 6']],
    ['V [upos=VERB] without { V -> X; X [upos=DET] } without { V -> X; X [upos=CCONJ] }', ['V 3']],
    ['V [upos=VERB] % a comment\n ; V -> X [form=and]', ['V 6 X 5']],
    ['V -[1=nsubj|obl, 2=pass]-> S', ['V 3 S 2']],
    ['V -[1=nsubj, 2=outer]-> S', []],
    ['* < N [upos=NOUN]', ['N 2']],
    ['* ->> N [upos=DET]', ['N 1', 'N 1']],
    ['e.Tense = f.Tense; e: V -[conj]-> A; f: * -[root]-> B', []],
    ['e.Tense = f.Tense; e: * -[conj]-> A; f: * -[root]-> B', ['A 6 B 3']],
    ['e.upos <> f.upos; e: * -[conj]-> A; f: * -[root]-> B', []],
  ])('%s', (text, expected) => {
    if (expected === null) expect(() => new Query(text)).toThrow('query: expected “;”');
    else expect(found(text)).toEqual(expected);
  });

  test.each([
    ['', 'query: expected a node, such as V [upos=VERB] at its end'],
    ['V [upos]] ', 'query: expected “;” or a relation such as ->, -[nsubj]->, ->>, <, <<, found “] ”'],
    ['V -[nsubj-> S', 'query: expected ]->, found “> S”'],
    ['V [form=/(/]', 'query: Invalid regular expression: /(/u: Unterminated group'],
    ['V [lema=dog]', 'query: no property lema (Did you mean lemma?)'],
    ['V [form=.]; global { is_projective }', 'query: expected'],
    ['without { V -> X }', 'query: expected a pattern before without and with'],
    ['V -[1=obl, tmod]-> X', 'query: expected 1= or 2=, found “tmod]-> X”'],
    ['V -[1=obj, 1=sbj]-> X', 'query: expected 1= once; alternatives are joined by |, found “sbj]-> X”'],
    ['V without { V -> X', 'query: expected “}” at its end'],
    ['e: V -> e', 'query: two nodes or arcs are called e'],
    ['e: V -> X; e: X -> Y', 'query: two nodes or arcs are called e'],
    ['V -> e; e: V -> X', 'query: two nodes or arcs are called e'],
    ['V [only-right=a]', 'query: only-right needs several files'],
  ])('refuses %s', (text, message) => {
    expect(() => new Query(text)).toThrow(message);
  });

  test('can group matches by properties of nodes and named arcs', () => {
    const query = new Query('e: V -[1=nsubj]-> S');
    const [label, tag] = [query.grouping('e.label'), query.grouping('V.upos')];
    query.eachMatch(sentence, (tokens) =>
      expect([label(sentence, tokens), tag(sentence, tokens)]).toEqual(['nsubj:pass', 'VERB']),
    );
    expect(() => query.grouping('W.upos')).toThrow(
      'cannot group by W.upos, expected a property of V, S, such as V.upos',
    );
    const inBlock = new Query('V [upos=VERB] with { f: V -> X }');
    expect(() => inBlock.grouping('f.label')).toThrow('cannot group by f.label');
  });

  test('compares parsers’ answers with the sentence', () => {
    const tree = (heads: Record<number, number>) => ({
      ...sentence,
      heads: sentence.heads.map((h, d) => heads[d] ?? h),
    });
    const trees = [tree({ 1: 3 }), tree({ 1: 3, 5: 3 })];
    const asked = (condition: string) => {
      const tokens: number[] = [];
      new Query(`W [${condition}]`, ['a', 'b']).eachMatch(sentence, ([d]) => tokens.push(d!), trees);
      return tokens;
    };
    expect([asked('wrong=a'), asked('only-right=a'), asked('differ'), asked('only-wrong=b')]).toEqual([
      [1],
      [5],
      [5],
      [5],
    ]);
    expect(asked('right=a, !differ')).toEqual([2, 3, 4, 6, 7]);
    const bare = { ...sentence, labels: sentence.labels.map(() => '_') };
    const wrong: number[] = [];
    new Query('W [wrong=a]', ['a']).eachMatch(bare, ([d]) => wrong.push(d!), trees.slice(0, 1));
    expect(wrong).toEqual([1]);
    expect(() => asked('right=c')).toThrow('query: right needs the name of a parser: a, b');
  });
});

/** Random clauses over nodes A, B, C of sentences with tags X, Y and labels p, q. */
const node = fc.constantFrom('A', 'B', 'C');
const clause = fc.oneof(
  fc
    .tuple(node, fc.constantFrom(' [upos=X]', ' [upos<>X]', ' [label=p]', ' [form=/[02468]$/]', ''))
    .map((parts) => parts.join('')),
  fc
    .tuple(node, fc.constantFrom('->', '-[p]->', '-[^p]->', '->>', '<', '<<', '>', '>>'), node)
    .filter(([a, , b]) => a !== b)
    .map((parts) => parts.join(' ')),
  fc.tuple(node, node).map(([a, b]) => `${a}.upos = ${b}.upos`),
  node.map((name) => `* -[p]-> ${name}`),
);
const clauses = fc.array(clause, { minLength: 1, maxLength: 4 }).map((all) => all.join('; '));
const queries = fc
  .tuple(clauses, fc.array(fc.tuple(fc.constantFrom('with', 'without'), clauses), { maxLength: 2 }))
  .map(([pattern, blocks]) =>
    [pattern, ...blocks.map(([keyword, inner]) => `${keyword} { ${inner} }`)].join(' '),
  );

test('a search finds the same number of matches as trying every token for every node', () => {
  const trees = fc
    .tuple(randomHeads(1, 6), fc.array(fc.nat(3), { minLength: 6, maxLength: 6 }))
    .map(([heads, draws]) => {
      const rows = [...heads.slice(1)].map((head, i) =>
        [i + 1, `w${i}`, '_', 'XY'[draws[i]! & 1], '_', '_', head, 'pq'[draws[i]! >> 1], '_', '_'].join('\t'),
      );
      return readSentences(`${rows.join('\n')}\n\n`, { format: 'conllu' })[0]!;
    });
  fc.assert(
    fc.property(queries, trees, (text, tree) => {
      expect(new Query(text).count(tree)).toBe(naiveCount(text, tree));
    }),
    { numRuns: 600 },
  );
});
