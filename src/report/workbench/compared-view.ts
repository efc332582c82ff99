import { type DependencyTree, sentenceOf } from '../../treebank/sentence.ts';
import type { Wording } from '../html/browser/tree-view.ts';
import type { ShownSentence } from '../html/sentences/sentence-data.ts';
import { treeToSvg } from '../trees/tree-svg.ts';
import type { ComparedSentence, TreeLists } from './compared-sentence.ts';

/** A tree of a model, or the vote. */
export interface NamedTree {
  readonly name: string;
  readonly tree: DependencyTree;
  readonly conllu: string;
  readonly confidences?: readonly number[] | undefined;
  readonly isVote: boolean;
}

/** A sentence with its trees; all are compared with the first: the vote, if there is one. */
export class ComparedView {
  readonly forms: readonly string[];
  readonly tags: readonly string[];
  readonly trees: readonly NamedTree[];

  constructor(readonly sentence: ComparedSentence) {
    const { forms, trees, vote } = sentence;
    this.forms = ['', ...forms];
    this.tags = ['', ...tagsOf(sentence)];
    const named = trees.map((tree) => namedTree(tree.model, tree, false));
    this.trees = vote === undefined ? named : [namedTree('Vote', vote, true), ...named];
  }

  /** Returns the sentence in the form of report pages; the reference takes the place of the gold tree. */
  shown(number: number): ShownSentence {
    const [reference, ...others] = this.trees.map(({ tree }) => tree);
    const scored = new Uint8Array(this.forms.length).fill(1, 1);
    const { forms, tags } = this;
    const confidences = this.trees.map((tree) => tree.confidences && [1, ...tree.confidences]);
    const id = this.sentence.id ?? '';
    return { number, id, forms, tags, gold: reference, trees: others, scored, confidences };
  }

  get wording(): Wording {
    return {
      reference: this.trees[0].name,
      mark: '≠',
      none: 'the same',
      some: (words, total) => `${words} of ${total} differ`,
      differing: 'differs',
    };
  }

  get legend(): string {
    const { mark, reference } = this.wording;
    const texts = this.trees.length < 2 ? [] : [`${mark} differs from ${reference}`];
    const hasShades = this.trees.some(({ confidences }) => confidences !== undefined);
    if (hasShades) texts.push('the fainter an arc, the lower its confidence');
    return texts.join('; ');
  }

  svg({ tree }: NamedTree): string {
    const words = this.sentence.forms.map((form, i) => ({ form, upos: this.tags[i + 1] }));
    return treeToSvg(sentenceOf(words), tree);
  }
}

const tagsOf = ({ trees: [{ upos, xpos }] }: ComparedSentence): readonly string[] =>
  upos.some((tag) => tag !== '_') ? upos : xpos;

function namedTree(name: string, { heads, labels, conllu, confidences }: TreeLists, isVote: boolean) {
  const tree = { heads: Int32Array.of(-1, ...heads), labels: ['', ...labels] };
  return { name, tree, conllu, confidences, isVote };
}
