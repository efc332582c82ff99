import type { Sentence } from '../sentence.ts';
import { findCycles, nonProjectiveArcs, preorder, roots } from '../tree.ts';

/** A fault at a token: the heads form no tree, or (`isRule`) UD's guidelines are violated. */
export type Problem = { readonly token: number; readonly text: string; readonly isRule: boolean };

const relations =
  /^(?:acl|advcl|advmod|amod|appos|aux|case|cc|ccomp|clf|compound|conj|cop|csubj|dep|det|discourse|dislocated|expl|fixed|flat|goeswith|iobj|list|mark|nmod|nsubj|nummod|obj|obl|orphan|parataxis|punct|reparandum|root|vocative|xcomp)(?::[a-z]+)*$/;

const UPOS = 'ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X';
export const universalTags: readonly string[] = UPOS.split(' ');

/** Whether most labels are UD relations. */
export function isUniversal(labels: readonly string[]): boolean {
  const known = labels.filter((label) => relations.test(label)).length;
  return known > 0 && 5 * known >= 4 * labels.length;
}

/** Finds the faults of a tree and, with `isUniversal`, violations of some rules of UD's validator, by token. */
export function problemsOf(sentence: Sentence, isUniversal: boolean): Problem[] {
  const found = treeProblems(sentence);
  const isWhole = found.length === 0;
  if (isUniversal) found.push(...rules.flatMap((rule) => rule(sentence, isWhole)));
  return found.sort((a, b) => Number(a.isRule) - Number(b.isRule) || a.token - b.token);
}

function treeProblems({ heads, length }: Sentence): Problem[] {
  const problems: Problem[] = [];
  const add = (token: number, text: string) => problems.push({ token, text, isRule: false });
  for (let d = 1; d <= length; d++) {
    if (heads[d] < 0) add(d, 'no head');
    if (heads[d] > length) add(d, `head ${heads[d]}, expected at most ${length}`);
  }
  const tops = roots(heads);
  if (tops.length === 0) add(1, 'no root: no word depends on the root of the sentence');
  for (const d of tops.slice(1)) add(d, `another root beside word ${tops[0]}, expected one`);
  if (problems.some(({ text }) => text.startsWith('head '))) return problems;
  for (const cycle of findCycles(heads)) add(cycle[0], `cycle: ${[...cycle, cycle[0]].join(' → ')}`);
  return problems;
}

type Rule = (sentence: Sentence, isTree: boolean) => Problem[];
const base = (label: string) => label.split(':', 1)[0];

/** Makes a rule of a test that returns the problem of a word, or undefined. */
function eachWord(test: (sentence: Sentence, d: number) => string | undefined): Rule {
  return (sentence) => {
    const problems: Problem[] = [];
    for (let d = 1; d <= sentence.length; d++) {
      const text = test(sentence, d);
      if (text !== undefined) problems.push({ token: d, text, isRule: true });
    }
    return problems;
  };
}

const knownTags = eachWord(({ upos }, d) => {
  if (upos[d] === '_') return 'no UPOS';
  return universalTags.includes(upos[d]) ? undefined : `${upos[d]} is not a tag of UD`;
});

const knownRelations = eachWord(({ labels }, d) =>
  relations.test(labels[d]) ? undefined : `${labels[d]} is not a relation of UD`,
);

const rootLabels = eachWord(({ heads, labels }, d) => {
  if (heads[d] === 0 && labels[d] !== 'root') return `${labels[d]} at the root, expected root`;
  return heads[d] > 0 && base(labels[d]) === 'root' ? 'root, though the word has a head' : undefined;
});

const tagsOf: Readonly<Record<string, RegExp>> = {
  det: /^(DET|PRON)$/,
  nummod: /^(NUM|NOUN|SYM)$/,
  advmod: /^(ADV|ADJ|CCONJ|DET|PART|SYM)$/,
  expl: /^(PRON|DET|PART)$/,
  aux: /^AUX$/,
  cop: /^(AUX|PRON|DET|SYM)$/,
  case: /^(?!PROPN|ADJ|PRON|DET|NUM|AUX)/,
  mark: /^(?!NOUN|PROPN|ADJ|PRON|DET|NUM|VERB|AUX|INTJ)/,
  cc: /^(?!NOUN|PROPN|ADJ|PRON|DET|NUM|VERB|AUX|INTJ)/,
  punct: /^PUNCT$/,
};

/** `rel-upos-*` and `upos-rel-punct` of UD's validator; a fixed expression may have another tag. */
const tags = eachWord(({ upos, labels, heads }, d) => {
  const label = base(labels[d]);
  const hasFixed = labels.some((each, i) => heads[i] === d && /^(fixed|goeswith)/.test(each));
  if (upos[d] === 'PUNCT' && !/^(punct|root|conj|reparandum|goeswith|flat|fixed|list|parataxis)/.test(label))
    return `PUNCT as ${label}, expected punct`;
  if (hasFixed || upos[d] === '_' || !Object.hasOwn(tagsOf, label)) return undefined;
  return tagsOf[label].test(upos[d]) ? undefined : `${label} with the tag ${upos[d]}`;
});

const leaves: Readonly<Record<string, RegExp>> = {
  mark: /^(advmod|obl|goeswith|fixed|reparandum|conj|cc|punct)$/,
  case: /^(advmod|obl|goeswith|fixed|reparandum|conj|cc|punct)$/,
  aux: /^(goeswith|fixed|reparandum|conj|cc|punct)$/,
  cop: /^(goeswith|fixed|reparandum|conj|cc|punct)$/,
  cc: /^(goeswith|fixed|reparandum|conj|punct)$/,
  fixed: /^(goeswith|reparandum|conj|punct)$/,
  goeswith: /^$/,
  punct: /^punct$/,
};

/** `leaf-*`: function words have hardly any dependents. */
const leafWords = eachWord(({ heads, labels, forms }, d) => {
  const over = base(labels[heads[d]] ?? '');
  if (heads[d] <= 0 || !Object.hasOwn(leaves, over) || leaves[over].test(base(labels[d]))) return undefined;
  return `${base(labels[d])} of ${forms[heads[d]]}, which is ${over} and has no such dependents`;
});

/** `right-to-left-*`: conjuncts and parts of flat structures follow their heads. */
const order = eachWord(({ heads, labels }, d) =>
  /^(conj|fixed|flat|goeswith|appos)/.test(labels[d]) && heads[d] > d
    ? `${base(labels[d])} before its head, expected after it`
    : undefined,
);

/** `too-many-subjects` and `too-many-objects`; an `:outer` subject may stand beside another. */
const doubles = eachWord(({ heads, labels }, d) => {
  const kind = kindOf(labels[d]);
  if (kind === undefined || heads[d] <= 0) return undefined;
  const first = labels.findIndex((label, i) => heads[i] === heads[d] && kindOf(label) === kind);
  return first < d ? `a second ${kind} beside word ${first}` : undefined;
});

function kindOf(label: string): string | undefined {
  if (/^[nc]subj(?!.*:outer)/.test(label)) return 'subject';
  return base(label) === 'obj' ? 'object' : undefined;
}

const FEATURES =
  /^(?:_|[A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?=[A-Za-z0-9,]+(?:\|[A-Z][A-Za-z0-9]*(?:\[[a-z0-9]+\])?=[A-Za-z0-9,]+)*)$/;

const features = eachWord(({ feats }, d) => {
  if (!FEATURES.test(feats[d])) return `features ${feats[d]}, expected Name=Value|Name=Value`;
  const names = feats[d].split('|').map((each) => each.split('=')[0].toLowerCase());
  const unsorted = names.findIndex((name, i) => i > 0 && name <= names[i - 1]);
  return unsorted < 0 ? undefined : 'features out of order, expected them sorted by name, each once';
});

/** `punct-causes-nonproj` and `punct-is-nonproj`. */
const punctuation: Rule = ({ heads, labels }, isTree) => {
  if (!isTree) return [];
  const { enter, leave } = preorder(heads);
  const crossed = nonProjectiveArcs(heads);
  return crossed.flatMap((d) => {
    if (base(labels[d]) === 'punct')
      return [{ token: d, text: 'punctuation with a non-projective arc', isRule: true }];
    const [from, to] = [Math.min(d, heads[d]), Math.max(d, heads[d])];
    const isOver = (i: number) => enter[heads[d]] <= enter[i] && enter[i] < leave[heads[d]];
    const inside = Array.from({ length: to - from - 1 }, (_, k) => from + 1 + k).filter((i) => !isOver(i));
    const marks = inside.filter((i) => base(labels[i]) === 'punct');
    return marks.map((i) => ({
      token: i,
      text: `punctuation that makes the arc of word ${d} non-projective`,
      isRule: true,
    }));
  });
};

const rules: readonly Rule[] = [
  knownTags,
  knownRelations,
  rootLabels,
  tags,
  leafWords,
  order,
  doubles,
  features,
  punctuation,
];
