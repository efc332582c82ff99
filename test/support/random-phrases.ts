import fc from 'fast-check';
import type { PhraseTree } from '../../src/treebank/phrases/phrase-tree.ts';

const TAGS = ['NN', 'VBD', 'DT', 'IN', 'CC', 'TO', 'MD', 'POS', ',', '.', '``', '-LRB-', '-NONE-', '$', 'WP'];
const LABELS = ['S', 'NP', 'VP', 'PP', 'SBAR', 'SBARQ', 'SQ', 'SINV', 'ADJP', 'WHNP', 'UCP', 'FRAG', 'XYZ'];
const SUFFIXES = ['', '', '-SBJ', '-1', '-2', '-TMP-1', '=2'];
const WORDS = ['dog', '-LRB-', '1\\/2', "'s", 'is', 'naïve', '“', 'constructor', '*T*-1', '*ICH*-2'];
const TRACES = ['*T*-1', '*T*-2', '*ICH*-1', '*ICH*-2', '*', '0'];

const leaves: fc.Arbitrary<PhraseTree> = fc
  .record({
    label: fc.constantFrom(...TAGS),
    word: fc.constantFrom(...WORDS),
    trace: fc.constantFrom(...TRACES),
  })
  .map(({ label, word, trace }) => ({ label, children: [], form: label === '-NONE-' ? trace : word }));

/**
 * Random trees of Penn labels, with function tags, empty elements, and indices that may or may not match.
 */
export const phraseTrees: fc.Arbitrary<PhraseTree> = fc.letrec<{ node: PhraseTree }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves,
    fc
      .record({
        label: fc.constantFrom(...LABELS),
        suffix: fc.constantFrom(...SUFFIXES),
        children: fc.array(tie('node'), { minLength: 1, maxLength: 5 }),
      })
      .map(({ label, suffix, children }) => ({ label: label + suffix, children, form: undefined })),
  ),
})).node;
