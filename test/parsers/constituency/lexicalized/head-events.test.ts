import { expect, test } from 'vitest';
import { HeadEvents, SYMBOLS } from '../../../../parsers/constituency/lexicalized/head-events.ts';
import { Vocabulary } from '../../../../src/encoding/vocabulary.ts';
import { bracketed } from '../../../support/phrases.ts';

/** The events of a tree, their numbers as names. */
function eventsOf(text: string): string[] {
  const [{ tree }] = bracketed('x.mrg', text);
  const names = new Vocabulary();
  const nameOf = (number: number) => (number === 0 ? '-' : names.strings()[number - 4]);
  const events: string[] = [];
  const taken = new HeadEvents(
    { symbol: (name) => names.add(name), word: (form) => names.add(form) },
    (kind, steps, outcome) => {
      const [first, second, third, fourth, fifth, sixth] = steps;
      if (kind === 'heads') {
        events.push(`head ${nameOf(outcome)} | ${[first, second, third].map(nameOf).join(' ')}`);
      } else if (kind === 'words') {
        const [tag, label, phrase, headTag, word] = [first, second, third, fourth, sixth].map(nameOf);
        events.push(`word ${nameOf(outcome)} | ${tag} ${label} ${phrase} ${headTag} ${fifth} ${word}`);
      } else {
        const own = [Math.floor(outcome / SYMBOLS), outcome % SYMBOLS].map(nameOf).join('/');
        const context = [first, third, fourth, fifth, sixth].map(nameOf);
        events.push(`sister ${own} | ${context[0]} ${second} ${context.slice(1).join(' ')}`);
      }
    },
  );
  taken.tell(tree);
  return events;
}

test('a tree is its heads, their sisters from the head outwards, each up to a stop, and words', () => {
  const tree = '(S (NP (PRP She)) (VP (VBZ Eats) (NP (NN rice)) (ADVP (RB daily))) (. .))';
  const ofVerb = eventsOf(tree).filter((event) => / \| VP | VP \w+ \d eats$/.test(event));
  expect(ofVerb).toEqual([
    'head VBZ | VP VBZ eats',
    'sister -/- | VP 0 - VBZ VBZ eats',
    'sister NP/NN | VP 1 - VBZ VBZ eats',
    'word rice | NN NP VP VBZ 1 eats',
    'sister ADVP/RB | VP 3 NP VBZ VBZ eats',
    'word daily | RB ADVP VP VBZ 1 eats',
    'sister -/- | VP 3 ADVP VBZ VBZ eats',
  ]);
  const ofSentence = eventsOf(tree).filter((event) => / \| S /.test(event));
  expect(ofSentence).toEqual([
    'head VP | S VBZ eats',
    'sister NP/PRP | S 0 - VP VBZ eats',
    'sister -/- | S 2 NP VP VBZ eats',
    'sister -/- | S 1 - VP VBZ eats',
  ]);
});

test('a verb in between is told of, punctuation is left out', () => {
  const events = eventsOf(
    '(NP (NP (NN man)) (, ,) (SBAR (S (VP (VBG singing)))) (PP (IN with) (NP (NN joy))))',
  );
  expect(events).toContain('sister SBAR/VBG | NP 1 - NP NN man');
  expect(events).toContain('sister PP/IN | NP 7 SBAR NP NN man');
});
