import { InputError, type Place } from '../../errors.ts';
import type { Sentence } from '../sentence.ts';
import { bareLabel, headChild } from './head-rules.ts';
import { nodesOf, type PhraseTree } from './phrase-tree.ts';
import { phraseRelation } from './relations.ts';
import { type HeadWord, PhraseSite } from './site.ts';
import { type PhraseNode, type TraceTreatment, wordsOnly } from './traces.ts';
import { universalTag } from './universal-tags.ts';

/** Every word depends on the head word of the smallest phrase that it does not head itself. */

export interface PhraseDependencyOptions {
  /** Moved phrases; default: `ignore`, for Yamada & Matsumoto's heads, which are always projective. */
  readonly traces?: TraceTreatment | undefined;
  readonly place?: Place | undefined;
}

/**
 * The dependencies of a tree: heads by the rules of Yamada & Matsumoto (2003), labels by `phraseRelation`,
 * Penn tags as xpos, universal tags as upos; all else is `_`. Throws `InputError` without words.
 */
export function dependenciesOfPhrases(tree: PhraseTree, options: PhraseDependencyOptions = {}): Sentence {
  const root = wordsOnly(tree, options.traces ?? 'ignore');
  if (root === undefined) throw new InputError('tree without words, expected one at least', options.place);
  const nodes = nodesOf(root);
  const leaves = nodes.filter((node) => node.form !== undefined).sort((a, b) => a.token - b.token);
  const length = leaves.length;
  const { heads, labels } = attach(nodes, length);
  const blank = ['', ...Array<string>(length).fill('_')];
  return {
    length,
    forms: ['', ...leaves.map((leaf) => leaf.form!)],
    lemmas: blank,
    upos: ['', ...universalTagsOf(leaves, nodes)],
    xpos: ['', ...leaves.map((leaf) => leaf.label)],
    feats: blank,
    heads,
    labels,
    deps: blank,
    misc: blank,
  };
}

function attach(nodes: readonly PhraseNode[], length: number): Pick<Sentence, 'heads' | 'labels'> {
  const heads = new Int32Array(length + 1);
  const labels = Array<string>(length + 1).fill('');
  const headLeaves = new Map<PhraseNode, PhraseNode>();
  const headWord: HeadWord = (node) => headLeaves.get(node)!.form!;
  for (let i = nodes.length - 1; i >= 0; i--) {
    const phrase = nodes[i]!;
    if (phrase.form !== undefined) {
      headLeaves.set(phrase, phrase);
      continue;
    }
    const head = headChild(phrase);
    const headLeaf = headLeaves.get(phrase.children[head]!)!;
    headLeaves.set(phrase, headLeaf);
    const site = new PhraseSite(phrase, head, headWord);
    phrase.children.forEach((node, child) => {
      if (child === head) return;
      const { token } = headLeaves.get(node)!;
      heads[token] = headLeaf.token;
      labels[token] = phraseRelation(site, child);
    });
  }
  heads[0] = -1;
  labels[headLeaves.get(nodes[0]!)!.token] = 'root';
  return { heads, labels };
}

function universalTagsOf(leaves: readonly PhraseNode[], nodes: readonly PhraseNode[]): string[] {
  const verbPhrases = nodes.filter((node) => bareLabel(node.label) === 'VP');
  const withVerbPhrase = new Set(verbPhrases.map(({ parent }) => parent));
  return leaves.map(({ label, form, parent }) =>
    universalTag(label, form!, {
      parent: bareLabel(parent?.label ?? ''),
      withVerbPhrase: withVerbPhrase.has(parent),
      alone: parent === undefined || parent.children.length === 1,
    }),
  );
}
