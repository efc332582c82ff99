import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { parseBrackets } from '../../../src/treebank/phrases/brackets.ts';
import { dependenciesOfPhrases, PHRASE_RELATIONS } from '../../../src/treebank/phrases/dependencies.ts';
import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { isProjective, isTree } from '../../../src/treebank/tree.ts';
import { phraseTrees } from '../../support/random-phrases.ts';
import { needsShared, sharedFiles, sharedPath } from '../../support/shared.ts';

function treeOf(text: string): PhraseTree {
  return [...parseBrackets(text, { file: 'x.mrg', line: 1 })][0]!.tree;
}

function convert(text: string, traces?: 'ignore' | 'resolve'): Sentence {
  return dependenciesOfPhrases(treeOf(text), { traces });
}

function heads(sentence: Sentence): string {
  return [...sentence.heads].slice(1).join(' ');
}

/** `word<head:relation` for each word. */
function arcs({ forms, heads, labels }: Sentence): string {
  const rows = forms.map((form, d) => `${form}<${forms[heads[d]!] || 'ROOT'}:${labels[d]}`);
  return rows.slice(1).join(' ');
}

describe('heads', () => {
  test('every word depends on the head of the smallest phrase that it does not head', () => {
    const { length, forms, lemmas, xpos, heads, labels, source } = convert(
      '( (S (NP-SBJ (DT The) (NN dog)) (VP (MD may) (VP (VB bark))) (. .)))',
    );
    expect(length).toBe(5);
    expect(forms).toEqual(['', 'The', 'dog', 'may', 'bark', '.']);
    expect(xpos).toEqual(['', 'DT', 'NN', 'MD', 'VB', '.']);
    expect(lemmas).toEqual(['', '_', '_', '_', '_', '_']);
    expect([...heads]).toEqual([-1, 2, 3, 0, 3, 3]);
    expect(labels).toEqual(['', 'det', 'sbj', 'root', 'vc', 'punct']);
    expect(source).toBeUndefined();
  });

  test('empty elements, and phrases with nothing else in them, are left out first', () => {
    const text = '(S (NP (-NONE- *)) (VP (VB go) (SBAR (-NONE- 0) (S (-NONE- *T*-1))) (NP (NN home))))';
    expect(arcs(convert(text))).toBe('go<ROOT:root home<go:obj');
  });

  test('a tree without words is refused', () => {
    const place = { file: 'x.mrg', line: 7 };
    expect(() => dependenciesOfPhrases(treeOf('(S (NP (-NONE- *)))'), { place })).toThrow(
      new InputError('tree without words, expected at least one', place),
    );
  });

  test('trees nested 5,000 deep, and phrases of 5,000 words, are converted', () => {
    const deep = convert(`${'(S (NP (NN a)) '.repeat(5000)}(VP (VB go))${')'.repeat(5000)}`, 'resolve');
    expect([...deep.heads].slice(1)).toEqual([...Array<number>(5000).fill(5001), 0]);
    const objects = convert(`(VP (VBP go)${' (NP (NN a))'.repeat(5000)})`, 'resolve');
    expect([...objects.heads].slice(1)).toEqual([0, ...Array<number>(5000).fill(1)]);
    const wide = convert(`(S${' (NP (NN a)) (CC and)'.repeat(2500)} (VP (VB go)))`, 'resolve');
    expect([...wide.heads].slice(1)).toEqual([...Array<number>(5000).fill(5001), 0]);
  });
});

describe('traces', () => {
  const question = `( (SBARQ (WHNP-1 (WP What)) (SQ (VBP do) (NP-SBJ (PRP you))
    (VP (VB think) (SBAR (S (NP-SBJ (PRP she)) (VP (VBD saw) (NP (-NONE- *T*-1))))))) (. ?)))`;

  test('a phrase that is moved back but loses its words to another trace is left out', () => {
    const text = '(S (S-1 (S-2 (NN a))) (S (S (-NONE- *T*-1)) (NN b)) (S (-NONE- *ICH*-2) (NN c)))';
    const sentence = convert(text, 'resolve');
    expect(sentence.forms).toEqual(['', 'a', 'b', 'c']);
    expect(isTree(sentence.heads)).toBe(true);
  });

  test('if traces are ignored, a wh-phrase depends on the head of its clause', () => {
    expect(heads(convert(question))).toBe('2 0 2 2 6 4 2');
    expect(convert(question).heads).toEqual(convert(question, 'ignore').heads);
  });

  test('if traces are resolved, a wh-phrase depends on the verb that it was moved from, as its object', () => {
    expect(arcs(convert(question, 'resolve'))).toBe(
      'What<saw:obj do<ROOT:root you<do:sbj think<do:vc she<saw:sbj saw<think:comp ?<do:punct',
    );
  });

  test('an extraposed relative clause depends on its noun, and the pronoun on the verb of the clause', () => {
    const text = `(S (NP-SBJ (NP (DT A) (NN man)) (SBAR (-NONE- *ICH*-1))) (VP (VBD came)
      (SBAR-1 (WHNP-2 (WP who)) (S (NP-SBJ (-NONE- *T*-2)) (VP (VBD sang))))))`;
    expect(arcs(convert(text, 'resolve'))).toBe(
      'A<man:det man<came:sbj came<ROOT:root who<sang:sbj sang<man:rel',
    );
    expect(heads(convert(text))).toBe('2 3 0 3 4');
  });

  test('a wh-phrase without a trace depends on the verb of its clause, as in a parser’s output', () => {
    const clauses = (trace: string) =>
      `(NP (NP (NN man)) (SBAR (WHNP-1 (WP who)) (S ${trace} (VP (VBD sang) (PP (IN at) (NP (NN sea)))))))`;
    const gold = convert(clauses('(NP-SBJ (-NONE- *T*-1))'), 'resolve');
    const parsed = convert(clauses(''), 'resolve');
    expect(arcs(parsed)).toBe('man<ROOT:root who<sang:sbj sang<man:rel at<sang:vmod sea<at:pmod');
    expect(arcs(parsed)).toBe(arcs(gold));
  });

  test('a phrase that has its own trace inside stays where it is', () => {
    const text = `(S (S-TPC-1 (NP (PRP It)) (PRN (, ,) (S (NP (PRP he)) (VP (VBD said) (S (-NONE- *T*-1)))) (, ,))
      (VP (VBD rained))) (. .))`;
    expect(heads(convert(text, 'resolve'))).toBe('6 4 4 6 4 0 6');
  });

  test('of two phrases that each have their trace inside the other, one stays where it is', () => {
    const text = `(S (NP-1 (NN a) (NP (-NONE- *T*-2))) (NP-2 (NN b) (NP (-NONE- *T*-1))) (VP (VB go)))`;
    expect(heads(convert(text, 'resolve'))).toBe('3 1 0');
  });

  test('a phrase with several traces goes to the first', () => {
    const text = `(SBAR (WHNP-1 (WP what)) (S (NP (PRP I)) (VP (VP (VBP buy) (NP (-NONE- *T*-1))) (CC or)
      (VP (VBP sell) (NP (-NONE- *T*-1))))))`;
    expect(arcs(convert(text, 'resolve'))).toBe(
      'what<buy:obj I<buy:sbj buy<ROOT:root or<buy:cc sell<buy:conj',
    );
  });
});

describe('relations', () => {
  test.each([
    [
      'iobj and obj',
      '(S (NP (PRP I)) (VP (VBD gave) (NP (PRP him)) (NP (NN tea))))',
      'I<gave:sbj gave<ROOT:root him<gave:iobj tea<gave:obj',
    ],
    [
      'a time is not an object',
      '(S (NP (PRP I)) (VP (VBD sang) (NP (NN yesterday))))',
      'I<sang:sbj sang<ROOT:root yesterday<sang:vmod',
    ],
    [
      'a time before the subject',
      '(S (NP (NN today)) (NP (PRP I)) (VP (VBP sing)))',
      'today<sing:vmod I<sing:sbj sing<ROOT:root',
    ],
    [
      'a name before a comma is not a subject',
      '(S (NP (NNP Sam)) (, ,) (VP (VB sing)))',
      'Sam<sing:vmod ,<sing:punct sing<ROOT:root',
    ],
    [
      'a clause as subject',
      '(S (S (VP (VBG singing))) (VP (VBZ helps)))',
      'singing<helps:sbj helps<ROOT:root',
    ],
    [
      'a clause before a comma is not a subject',
      '(S (S (VP (VBG singing))) (, ,) (VP (VBZ helps)))',
      'singing<helps:vmod ,<helps:punct helps<ROOT:root',
    ],
    [
      'prd after be',
      '(S (NP (PRP it)) (VP (VBZ is) (ADVP (RB now)) (NP (NN tea))))',
      'it<is:sbj is<ROOT:root now<is:vmod tea<is:prd',
    ],
    [
      'prd after another copula',
      '(S (NP (PRP it)) (VP (VBZ remains) (NP (NN tea))))',
      'it<remains:sbj remains<ROOT:root tea<remains:prd',
    ],
    [
      'a place after be',
      '(S (NP (PRP it)) (VP (VBZ is) (ADVP (RB here))))',
      'it<is:sbj is<ROOT:root here<is:prd',
    ],
    [
      'a question with be',
      '(SQ (VBZ is) (NP (DT this)) (NP (NN tea)) (. ?))',
      'is<ROOT:root this<is:sbj tea<is:prd ?<is:punct',
    ],
    [
      'an inverted clause',
      '(SINV (S (NP (PRP I)) (VP (VBP sing))) (, ,) (VP (VBD said)) (NP (NN Ann)))',
      'I<sing:sbj sing<said:comp ,<said:punct said<ROOT:root Ann<said:sbj',
    ],
    [
      'im under the infinitive',
      '(VP (VB try) (S (VP (TO to) (VP (VB sing)))))',
      'try<ROOT:root to<sing:im sing<try:comp',
    ],
    [
      'a that-clause',
      '(VP (VBP say) (SBAR (IN that) (S (VP (VB sing)))))',
      'say<ROOT:root that<say:comp sing<that:sub',
    ],
    [
      'an adverbial clause',
      '(VP (VBP sing) (SBAR (IN because) (S (VP (VB go)))))',
      'sing<ROOT:root because<sing:vmod go<because:sub',
    ],
    ['a particle', '(VP (VB give) (PRT (RP up)))', 'give<ROOT:root up<give:prt'],
    [
      'det, poss and nmod',
      "(NP (NP (DT the) (NN man) (POS 's)) (JJ old) (NN hat))",
      "the<'s:pmod man<'s:pmod 's<hat:poss old<hat:nmod hat<ROOT:root",
    ],
    [
      'a pronoun as possessor',
      '(NP (PRP$ my) (NN hat) (PP (IN of) (NP (NN felt))))',
      'my<hat:poss hat<ROOT:root of<hat:nmod felt<of:pmod',
    ],
    [
      'a noun’s that-clause is not a relative clause',
      '(NP (NP (NN fact)) (SBAR (IN that) (S (VP (VB go)))))',
      'fact<ROOT:root that<fact:nmod go<that:sub',
    ],
    [
      'a relative clause without pronoun',
      '(NP (NP (NN hat)) (SBAR (S (NP (PRP I)) (VP (VBP wear)))))',
      'hat<ROOT:root I<wear:sbj wear<hat:rel',
    ],
    [
      'apposition',
      '(NP (NP (NNP Ann)) (, ,) (NP (PRP$ my) (NN aunt)))',
      'Ann<aunt:app ,<aunt:punct my<aunt:poss aunt<ROOT:root',
    ],
    [
      'nouns coordinated',
      '(NP (NN salt) (, ,) (NN oil) (CC and) (NN tea))',
      'salt<tea:conj ,<tea:punct oil<tea:conj and<tea:cc tea<ROOT:root',
    ],
    [
      'modifiers coordinated within a noun phrase',
      '(NP (NN stock) (CC and) (NN bond) (NNS prices))',
      'stock<prices:nmod and<prices:cc bond<prices:nmod prices<ROOT:root',
    ],
    [
      'verb phrases coordinated, one without object',
      '(VP (VP (VB go)) (CC and) (VP (VB sing)))',
      'go<ROOT:root and<go:cc sing<go:conj',
    ],
    [
      'clauses side by side',
      '(S (S (VP (VB go))) (: ;) (S (VP (VB sing))))',
      'go<sing:conj ;<sing:punct sing<ROOT:root',
    ],
    [
      'unlike phrases coordinated',
      '(UCP (ADJP (JJ old)) (CC and) (PP (IN in) (NP (NN pain))))',
      'old<ROOT:root and<old:cc in<old:conj pain<in:pmod',
    ],
    ['amod', '(ADJP (RB very) (JJ old))', 'very<old:amod old<ROOT:root'],
    [
      'a clause as complement of an adjective',
      '(ADJP (JJ sure) (SBAR (IN that) (S (VP (VB go)))))',
      'sure<ROOT:root that<sure:comp go<that:sub',
    ],
    [
      'a modified preposition',
      '(PP (RB just) (IN in) (NP (NN time)))',
      'just<in:amod in<ROOT:root time<in:pmod',
    ],
    [
      'prn and intj',
      '(S (INTJ (UH Oh)) (VP (VB go)) (PRN (-LRB- -LRB-) (ADVP (RB now)) (-RRB- -RRB-)))',
      'Oh<go:intj go<ROOT:root -LRB-<now:punct now<go:prn -RRB-<now:punct',
    ],
    [
      'a name after a comma is neither object nor predicate',
      '(S (NP (PRP it)) (VP (VBZ is) (, ,) (NP (NNP Ann)) (, ,) (ADJP (JJ old))))',
      'it<is:sbj is<ROOT:root ,<is:punct Ann<is:vmod ,<is:punct old<is:prd',
    ],
    [
      'commas around an adverbial do not set the object apart',
      '(VP (VB take) (, ,) (PP (IN at) (NP (NN noon))) (, ,) (NP (NN tea)))',
      'take<ROOT:root ,<take:punct at<take:vmod noon<at:pmod ,<take:punct tea<take:obj',
    ],
    [
      'a name after a question is not its subject',
      '(SBARQ (WHADVP (WRB why)) (SQ (VBP do) (NP (PRP I)) (VP (VB sing))) (, ,) (NP (NNP Ann)))',
      'why<do:vmod do<ROOT:root I<do:sbj sing<do:vc ,<do:punct Ann<do:vmod',
    ],
    [
      'clauses joined by an adverb after a comma',
      '(S (S (VP (VB go))) (, ,) (RB so) (S (VP (VB sing))))',
      'go<sing:conj ,<sing:punct so<sing:vmod sing<ROOT:root',
    ],
    [
      'an absolute clause is not reported speech',
      '(VP (VBD came) (, ,) (S (NP (PRP$ his) (NN hat)) (ADJP (JJ new))))',
      'came<ROOT:root ,<came:punct his<hat:poss hat<new:sbj new<came:vmod',
    ],
    [
      'a relative clause on a clause',
      '(VP (VBD fell) (, ,) (SBAR (WHNP (WDT which)) (S (VP (VBD hurt)))))',
      'fell<ROOT:root ,<fell:punct which<fell:vmod hurt<which:sub',
    ],
    [
      'a conjunction of two words',
      '(VP (VBP sing) (SBAR (IN so) (IN that) (S (NP (PRP I)) (VP (VBP live)))))',
      'sing<ROOT:root so<that:amod that<sing:vmod I<live:sbj live<that:sub',
    ],
    ['a fragment', '(FRAG (NP (NN tea)) (ADVP (RB now)))', 'tea<ROOT:root now<tea:dep'],
  ])('%s', (_, text, expected) => {
    expect(arcs(convert(text))).toBe(expected);
  });
});

describe('any tree', () => {
  const modes = fc.constantFrom('ignore' as const, 'resolve' as const);

  test('becomes one dependency tree over its words, with one root and only known relations', () => {
    fc.assert(
      fc.property(phraseTrees, modes, (tree, traces) => {
        const sentence = convertOrNothing(tree, traces);
        if (sentence === undefined) return;
        expect(isTree(sentence.heads)).toBe(true);
        expect(sentence.labels.slice(1).filter((label) => label === 'root')).toHaveLength(1);
        expect(sentence.heads[sentence.labels.indexOf('root')]).toBe(0);
        for (const label of sentence.labels.slice(1)) expect(PHRASE_RELATIONS).toHaveProperty(label);
        expect(sentence.forms).toEqual(dependenciesOfPhrases(tree).forms);
      }),
      { numRuns: 1000 },
    );
  });

  test('becomes a projective tree if traces are ignored', () => {
    fc.assert(
      fc.property(phraseTrees, (tree) => {
        const sentence = convertOrNothing(tree, 'ignore');
        if (sentence !== undefined) expect(isProjective(sentence.heads)).toBe(true);
      }),
    );
  });

  function convertOrNothing(tree: PhraseTree, traces: 'ignore' | 'resolve'): Sentence | undefined {
    try {
      return dependenciesOfPhrases(tree, { traces });
    } catch (error) {
      if (error instanceof InputError) return undefined;
      throw error;
    }
  }
});

const sample = 'treebanks/ptb-sample';

needsShared.describe('the Penn Treebank sample', () => {
  test('every head of every sentence is the published one', () => {
    const files = sharedFiles(sample, 'bracketed');
    let sentences = 0;
    for (const file of files) {
      const text = readFileSync(sharedPath(sample, 'bracketed', file), 'utf8');
      const published = readFileSync(sharedPath(sample, 'dependencies', file.replace('.mrg', '.dp')), 'utf8');
      const converted = [...parseBrackets(text, { file, line: 1 })].map(({ tree }) => {
        const { forms, xpos, heads } = dependenciesOfPhrases(tree);
        return forms.map((form, d) => `${form}\t${xpos[d]}\t${heads[d]}\n`).slice(1);
      });
      sentences += converted.length;
      expect(converted.map((rows) => rows.join('')).join('\n'), file).toBe(published);
    }
    expect(files).toHaveLength(179);
    expect(sentences).toBe(3669);
  });
});
