import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GrammarTables } from '../../../parsers/constituency/grammar.ts';
import { Lexicon, type TaggedWord, wordClasses } from '../../../parsers/constituency/lexicon.ts';

const TAGS = ['NN', 'VB', 'DT'];
/** States 0–2, and state 3 for another NN. */
const labels = [...TAGS, 'NN'];
const options = { rare: 2, suffix: 2, smoothing: 0.5, frequent: 4 };

function lexicon(text: string, over: Partial<typeof options> = {}): Lexicon {
  const tagged = text.split(' ').map((word, i): TaggedWord => {
    const [form, state] = word.split('/') as [string, string];
    return { form, state: Number(state), isFirst: i === 0 };
  });
  const none = { states: new Int32Array(), scores: new Float32Array() };
  const tables: GrammarTables = {
    start: 0,
    labels,
    tags: new Uint8Array(labels.length).fill(1),
    occurrences: Int32Array.from(labels, (_, state) => tagged.filter((word) => word.state === state).length),
    binary: none,
    chains: none,
  };
  return Lexicon.learn(tagged, tables, { ...options, ...over });
}

const small = 'the/2 dog/0 sees/1 a/2 cat/0 the/2 cat/3 the/2 walk/1 the/2 walk/0 the/2 Dog/3';

/** P(state | word) for all possible states of the word. */
function shares(lexicon: Lexicon, form: string, isFirst = false): Record<string, number> {
  const occurrences = [3, 2, 6, 2];
  const { states, scores } = lexicon.statesOf(form, isFirst);
  return Object.fromEntries(
    Array.from(states, (state, i): [number, number] => [state, Math.exp(scores[i]!) * occurrences[state]!]),
  );
}

describe('the lexicon', () => {
  it('gives frequent words the tags that they were seen with, and no others', () => {
    expect(shares(lexicon(small), 'the')).toEqual({ 2: expect.closeTo(1) });
  });

  it('smooths the counts of other words with those of their class', () => {
    // Rare words: dog/0 sees/1 a/2 cat/0 cat/3 walk/1 walk/0 Dog/3; without endings all but Dog are of one shape.
    const flat = lexicon(small, { suffix: 0 });
    const all = { 0: 3 / 8, 1: 2 / 8, 2: 1 / 8, 3: 2 / 8 };
    const lower = [3, 2, 1, 1].map((count, state) => (count + 5 * all[state as 0]) / 12);
    const expected = [1, 0, 0, 1].map((count, state) => (count + 0.5 * lower[state]!) / 2.5);
    for (const [state, share] of Object.entries(shares(flat, 'cat'))) {
      expect(share).toBeCloseTo(expected[Number(state)]!);
    }
    for (const [state, share] of Object.entries(shares(flat, 'cow'))) {
      expect(share).toBeCloseTo(lower[Number(state)]!);
    }
  });

  it('recognises a lower-case word that is capitalised at the beginning of a sentence', () => {
    const learnt = lexicon(small);
    expect(shares(learnt, 'The', true)).toEqual(shares(learnt, 'the'));
    expect(shares(learnt, 'The', false)).not.toEqual(shares(learnt, 'the'));
  });

  it('gives tagged words the states of their tag, or all their states if the tag is unseen', () => {
    const learnt = lexicon(small);
    const statesFor = (form: string, tag: string) =>
      [...learnt.statesOfTagged(form, false, tag).states].sort();
    expect(statesFor('cat', 'NN')).toEqual([0, 3]);
    expect(statesFor('the', 'NN')).toEqual([0, 3]);
    expect(statesFor('cow', 'VB')).toEqual([1]);
    expect(statesFor('cow', 'XYZ')).toEqual([...learnt.statesOf('cow', false).states].sort());
  });

  it('prefers the states that a word was seen with among those of its tag', () => {
    const { states, scores } = lexicon(small).statesOfTagged('Dog', false, 'NN');
    expect(scores[states.indexOf(3)]).toBeGreaterThan(scores[states.indexOf(0)]!);
    const unseen = lexicon(small).statesOfTagged('cow', false, 'NN');
    expect(unseen.scores[0]).toBeCloseTo(unseen.scores[1]!);
  });

  it('models unknown words on all words if no word is rare', () => {
    const learnt = lexicon('the/2 cat/0 the/2 cat/0 the/2 cat/0', { rare: 1, suffix: 0 });
    expect([...learnt.statesOf('dog', false).states]).toEqual([2, 0]);
  });

  it('without smoothing uses only the counts of the word itself', () => {
    expect(shares(lexicon(small, { smoothing: 0 }), 'cat')).toEqual({
      0: expect.closeTo(0.5),
      3: expect.closeTo(0.5),
    });
  });

  it('gives every word, seen or not, probabilities of its states that add up to one', () => {
    const forms = fc.oneof(
      fc.constantFrom('the', 'The', 'cat', 'Dog', 'walks', '1-2'),
      fc.string({ minLength: 1 }),
    );
    const smoothing = fc.double({ min: 0, max: 10, noNaN: true });
    fc.assert(
      fc.property(forms, fc.boolean(), smoothing, (form, isFirst, weight) => {
        const found = Object.values(shares(lexicon(small, { smoothing: weight }), form, isFirst));
        expect(found.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
      }),
    );
  });
});

it.each([
  ['walking', false, ['', 'lower', 'lower g', 'lower ng', 'lower ing']],
  ['Walking', true, ['', 'initial', 'initial g', 'initial ng', 'initial ing']],
  ['Walking', false, ['', 'capital', 'capital g', 'capital ng', 'capital ing']],
  ['NATO', true, ['', 'capital', 'capital o', 'capital to', 'capital ato']],
  ['eBay', false, ['', 'mixed', 'mixed y', 'mixed ay', 'mixed bay']],
  ['third-quarter', false, ['', 'lower+hyphen', 'lower+hyphen r', 'lower+hyphen er', 'lower+hyphen ter']],
  ['1990s', false, ['', 'lower+digit', 'lower+digit s', 'lower+digit 0s', 'lower+digit 90s']],
  ['35.2', false, ['', 'other+digit', 'other+digit 2', 'other+digit .2', 'other+digit 5.2']],
  ['é', false, ['', 'lower']],
  ['😀!', false, ['', 'other', 'other !']],
])('the classes of %s (first word: %s) become narrower by shape and ending', (form, isFirst, classes) => {
  expect(wordClasses(form, isFirst, 3)).toEqual(classes);
});

it('without endings, the narrowest class of a word is its shape', () => {
  expect(wordClasses('walking', false, 0)).toEqual(['', 'lower']);
});
