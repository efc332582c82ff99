/** Universal part-of-speech tags (https://universaldependencies.org/u/pos) for Penn Treebank tags. */

const UNIVERSAL_TAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ADJ: 'AFX JJ JJR JJS',
    ADP: 'IN RP TO',
    ADV: 'RB RBR RBS WRB',
    AUX: 'MD',
    CCONJ: 'CC',
    DET: 'DT PDT WDT',
    INTJ: 'UH',
    NOUN: 'NN NNS',
    NUM: 'CD',
    PART: 'POS',
    PRON: 'EX PRP PRP$ WP WP$',
    PROPN: 'NNP NNPS',
    PUNCT: ", . : `` '' -LRB- -RRB- HYPH NFP",
    SYM: '# $ SYM',
    VERB: 'VB VBD VBG VBN VBP VBZ',
    X: 'ADD FW GW LS XX',
  }).flatMap(([universal, tags]) => tags.split(' ').map((tag): [string, string] => [tag, universal])),
);

const NEGATION = /^n[o']t$/i;
const HAVE_OR_DO = /^(?:have|has|had|having|'ve|'d|do|does|did|done|doing)$/i;
const BE = /^(?:be|am|is|are|was|were|been|being|ai|'s|'re|'m)$/i;
/** Whether a form is one of the verb *be*, clitics included. */
export const isBe = (form: string): boolean => BE.test(form);
type WordPlace = { readonly parent: string; readonly withVerbPhrase: boolean; readonly alone: boolean };

/** Converts a Penn tag to a universal one, `X` if unknown; context decides auxiliaries, *to*, *not*, determiners. */
export function universalTag(tag: string, form: string, place: WordPlace): string {
  const universal = UNIVERSAL_TAGS.get(tag) ?? 'X';
  switch (universal) {
    case 'VERB':
      return isBe(form) || (place.withVerbPhrase && HAVE_OR_DO.test(form)) ? 'AUX' : 'VERB';
    case 'ADP':
      if (tag === 'TO' && place.parent === 'VP') return 'PART';
      return tag === 'IN' && place.parent === 'SBAR' ? 'SCONJ' : 'ADP';
    case 'DET':
      return place.alone ? 'PRON' : 'DET';
    case 'ADV':
      return NEGATION.test(form) ? 'PART' : 'ADV';
    default:
      return universal;
  }
}
