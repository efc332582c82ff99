import type { InputError } from '../../errors.ts';
import { EMPTY_ELEMENT, type PhraseTree } from '../../treebank/phrases/phrase-tree.ts';
import type { Tokens } from '../lock-step.ts';

/** A phrase over the words start + 1 … end, with its label without function tags. */
export interface Bracket {
  readonly label: string;
  readonly start: number;
  readonly end: number;
  readonly node: PhraseTree;
}

/** A tree to be scored, and its place for messages. */
export interface ScoredTree {
  readonly tree: PhraseTree;
  readonly source?: { readonly file: string; readonly line: number } | undefined;
  readonly malformed?: InputError | undefined;
}

/** The words, tags (entry 0 of both is `''`) and brackets of a tree, outer brackets first. */
export interface FlatTree extends Tokens {
  readonly tags: readonly string[];
  readonly brackets: readonly Bracket[];
  readonly malformed: InputError | undefined;
}

/** Flattens a tree, without empty elements; labels end before `-` or `=`, as in EVALB. */
export function flatten({ tree, source, malformed }: ScoredTree): FlatTree {
  const forms = [''];
  const tags = [''];
  const brackets: { label: string; start: number; end: number; node: PhraseTree }[] = [];
  const pending: (PhraseTree | (typeof brackets)[number])[] = [tree];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('end' in next) {
      next.end = forms.length - 1;
    } else if (next.form === undefined) {
      const bracket = { label: next.label.split(/[-=]/, 1)[0], start: forms.length - 1, end: 0, node: next };
      brackets.push(bracket);
      pending.push(bracket);
      for (let i = next.children.length - 1; i >= 0; i--) pending.push(next.children[i]);
    } else if (next.label !== EMPTY_ELEMENT) {
      forms.push(next.form);
      tags.push(next.label);
    }
  }
  const lines = source && new Int32Array(forms.length).fill(source.line);
  return {
    length: forms.length - 1,
    forms,
    tags,
    brackets: brackets.filter(({ start, end }) => start < end),
    malformed,
    source: source && lines && { ...source, lines },
  };
}
