import type { Wording } from '../../../src/report/html/browser/wording.ts';
import type { ShownSentence } from '../../../src/report/html/sentences/sentence-data.ts';
import { treeToSvg } from '../../../src/report/trees/tree-svg.ts';
import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import { sentenceOf } from '../../../src/treebank/sentence-of.ts';
import type { ComparedSentence } from '../../tasks/compared-sentence.ts';

/** A tree of a sentence, as the page has it. */
export interface NamedTree {
  readonly name: string;
  readonly tree: DependencyTree;
  readonly conllu: string;
}

/** A sentence with its trees: the first is the one that the others are compared with, the vote where there is one. */
export class ComparedView {
  readonly forms: readonly string[];
  readonly tags: readonly string[];
  readonly trees: readonly NamedTree[];

  constructor(readonly sentence: ComparedSentence) {
    const { forms, trees, vote } = sentence;
    this.forms = ['', ...forms];
    this.tags = ['', ...tagsOf(sentence)];
    const named = trees.map((tree) => ({ name: tree.model, tree: treeOf(tree), conllu: tree.conllu }));
    const voted = vote && { name: 'Vote', tree: treeOf(vote), conllu: vote.conllu };
    this.trees = voted === undefined ? named : [voted, ...named];
  }

  /** As pages of reports show a sentence, whose gold tree others are compared with. */
  shown(number: number): ShownSentence {
    const [reference, ...others] = this.trees.map(({ tree }) => tree);
    const scored = new Uint8Array(this.forms.length).fill(1, 1);
    const { forms, tags } = this;
    return { number, id: this.sentence.id ?? '', forms, tags, gold: reference, trees: others, scored };
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

  /** A tree as a picture of its own. */
  svg({ tree }: NamedTree): string {
    const words = this.sentence.forms.map((form, i) => ({ form, upos: this.tags[i + 1] }));
    return treeToSvg(sentenceOf(words), tree);
  }
}

function tagsOf({ trees: [{ upos, xpos }] }: ComparedSentence): readonly string[] {
  return upos.some((tag) => tag !== '_') ? upos : xpos;
}

function treeOf({
  heads,
  labels,
}: {
  readonly heads: readonly number[];
  readonly labels: readonly string[];
}): DependencyTree {
  return { heads: Int32Array.of(-1, ...heads), labels: ['', ...labels] };
}
