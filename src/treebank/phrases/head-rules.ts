import type { PhraseTree } from './phrase-tree.ts';

/**
 * A head rule of Yamada & Matsumoto (2003, W03-3023), after Magerman and Collins, as in their program: the children
 * are searched from one end for a label of the first class, then for one of the next class, and so on.
 */
type HeadRule = { readonly from: 'left' | 'right'; readonly classes: readonly ReadonlySet<string>[] };

/** Makes a rule; classes are separated by spaces, the labels of a class by `|`. */
function rule(from: HeadRule['from'], classes: string): HeadRule {
  const names = classes.split(' ').filter((name) => name !== '');
  return { from, classes: names.map((name) => new Set(name.split('|'))) };
}

const NOUN_PHRASE = rule('right', 'POS|NN|NNP|NNPS|NNS NX JJR CD JJ JJS RB QP NP');

const HEAD_RULES: ReadonlyMap<string, HeadRule> = new Map(
  Object.entries({
    ADJP: rule('right', 'NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB'),
    ADVP: rule('left', 'RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN'),
    CONJP: rule('left', 'CC RB IN'),
    FRAG: rule('left', ''),
    INTJ: rule('right', ''),
    LST: rule('left', 'LS :'),
    NAC: rule('right', 'NN|NNP|NNPS|NNS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW'),
    NP: NOUN_PHRASE,
    NX: NOUN_PHRASE,
    PP: rule('left', 'IN TO VBG VBN RP FW'),
    PRN: rule('right', ''),
    PRT: rule('left', 'RP'),
    QP: rule('right', '$ IN NNS NN JJ RB DT CD QP JJR JJS'),
    RRC: rule('left', 'VP NP ADVP ADJP PP'),
    S: rule('right', 'TO IN VP S SBAR ADJP UCP NP'),
    SBAR: rule('right', 'WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG'),
    SBARQ: rule('right', 'SQ S SINV SBARQ FRAG'),
    SINV: rule('right', 'VBZ VBD VBP VB MD VP S SINV ADJP NP'),
    SQ: rule('right', 'VBZ VBD VBP VB MD VP SQ'),
    UCP: rule('left', ''),
    VP: rule('left', 'VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP'),
    WHADJP: rule('right', 'CC WRB JJ ADJP'),
    WHADVP: rule('left', 'CC WRB'),
    WHNP: rule('right', 'WDT WP WP$ WHADJP WHPP WHNP'),
    WHPP: rule('left', 'IN TO FW'),
    X: rule('right', ''),
  }),
);

/** The rule for labels without one, such as the outermost bracket. */
const OTHER = rule('right', '');
/** Penn tags of punctuation marks, brackets apart. */
export const PUNCTUATION_TAGS: ReadonlySet<string> = new Set(['``', "''", ',', ':', '.']);
const BRACKET_TAGS: ReadonlySet<string> = new Set(['-LRB-', '-RRB-']);

/** Removes function tags and indices: `NP-SBJ-1` → `NP`; `-NONE-` and `-LRB-` stay as they are. */
export function bareLabel(label: string): string {
  const end = label.slice(1).search(/[-=|]/);
  return end === -1 || label.startsWith('-') ? label : label.slice(0, end + 1);
}

export const isPunctuation = (node: PhraseTree): boolean =>
  node.form !== undefined && (PUNCTUATION_TAGS.has(node.label) || BRACKET_TAGS.has(node.label));

/** Finds the head child of a phrase without `-NONE-`; if no class matches, the first child that is not punctuation. */
export function headChild(phrase: PhraseTree): number {
  const { from, classes } = HEAD_RULES.get(bareLabel(phrase.label)) ?? OTHER;
  const { children } = phrase;
  const search = (accept: (child: PhraseTree) => boolean) =>
    from === 'left' ? children.findIndex(accept) : children.findLastIndex(accept);
  for (const names of classes) {
    const found = search(
      (child) =>
        names.has(bareLabel(child.label)) && !(child.form !== undefined && PUNCTUATION_TAGS.has(child.label)),
    );
    if (found !== -1) return found;
  }
  const found = search((child) => !isPunctuation(child));
  if (found !== -1) return found;
  return from === 'left' ? 0 : children.length - 1;
}
