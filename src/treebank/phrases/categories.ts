import { bareLabel, isPunctuation } from './head-rules.ts';
import type { PhraseNode } from './traces.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const CATEGORIES = {
  noun: 'CD DT EX NAC NN NNP NNPS NNS NP NX PRP QP WDT WHNP WP $',
  verb: 'MD VB VBD VBG VBN VBP VBZ VP',
  clause: 'S SBARQ SINV SQ',
  subordinate: 'RRC SBAR',
  adjective: 'ADJP JJ JJR JJS WHADJP',
  adverb: 'ADVP RB RBR RBS WHADVP WRB',
  preposition: 'IN PP TO WHPP',
  conjunction: 'CC CONJP',
} as const;

type Category = keyof typeof CATEGORIES;

const CATEGORY_OF: ReadonlyMap<string, Category> = new Map(
  Object.entries(CATEGORIES).flatMap(([category, labels]) =>
    labels.split(' ').map((label): [string, Category] => [label, category as Category]),
  ),
);

const COPULAS = words(`become becomes became becoming remain remains remained remaining
  seem seems seemed seeming appear appears appeared`);

const TIMES = words(`today yesterday tomorrow tonight
  moment second seconds minute minutes hour hours day days week weeks weekend weekends month months
  times year years decade decades century morning mornings afternoon afternoons evening evenings night nights
  monday tuesday wednesday thursday friday saturday sunday
  mondays tuesdays wednesdays thursdays fridays saturdays sundays
  january february march april may june july august september october november december
  jan. feb. mar. apr. aug. sept. oct. nov. dec. spring summer autumn winter`);

/** Conjunctions that begin adverbial clauses, not complements. */
const ADVERBIAL_CONJUNCTIONS =
  words(`after although as because before even except if in just lest like now once
  only provided since so than though till unless until when whenever where whereas wherever while`);

export const categoryOfLabel = (label: string): Category | undefined => CATEGORY_OF.get(label);
export const categoryOf = (node: PhraseNode): Category | undefined => CATEGORY_OF.get(bareLabel(node.label));
export const isNominal = (node: PhraseNode): boolean => categoryOf(node) === 'noun';

/** Whether a node may separate the parts of a coordination: a conjunction or a punctuation mark. */
export const isDelimiter = (node: PhraseNode): boolean =>
  categoryOf(node) === 'conjunction' || isPunctuation(node);

/** Whether a noun phrase with this head may be a time adverbial: `Monday`, `last week`. */
export const isTime = (noun: string): boolean => TIMES.has(noun.toLowerCase());
export const isCopula = (verb: string): boolean => COPULAS.has(verb.toLowerCase());

/** Whether a clause is adverbial, judging by its first word and its conjunctions. */
export function isAdverbial(clause: PhraseNode): boolean {
  const introducers = [clause.first!, ...clause.children.filter((child) => child.label === 'IN')];
  return introducers.some((word) => ADVERBIAL_CONJUNCTIONS.has(word.form!.toLowerCase()));
}
