import { checkTokens, inLockStep } from '../../../src/evaluate/lock-step.ts';
import { EMPTY_ELEMENT, nodesOf, type PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import {
  type PhraseTreebank,
  phraseTrees,
  type TreebankFile,
} from '../../../src/treebank/reading/treebank-file.ts';

/** A phrase with its span: words start + 1 … end. */
export interface Constituent {
  readonly label: string;
  readonly start: number;
  readonly end: number;
}

/** A tree as words, tags and phrases, each phrase before those within it. */
export interface FlatAnswer {
  readonly forms: readonly string[];
  readonly tags: readonly string[];
  /** Label of the outermost bracket; '' if it has none. */
  readonly root: string;
  /** All other phrases. */
  readonly constituents: readonly Constituent[];
}

/** The answers of several parsers for one sentence; all have the same words. */
export interface PhraseBallot {
  readonly answers: readonly FlatAnswer[];
}

export interface KnownPhraseBallot extends PhraseBallot {
  readonly gold: PhraseTree;
}

/** Converts a tree to words, tags and phrases, without empty elements and phrases of empty elements alone. */
export function flatAnswer(tree: PhraseTree): FlatAnswer {
  const nodes = nodesOf(tree);
  const words = nodes.filter(({ form, label }) => form !== undefined && label !== EMPTY_ELEMENT);
  const numbers = new Map(words.map((word, i) => [word, i]));
  const spans = new Map<PhraseTree, { start: number; end: number }>();
  for (const node of nodes.toReversed()) {
    const number = numbers.get(node);
    if (number !== undefined) spans.set(node, { start: number, end: number + 1 });
    else {
      const within = node.children.flatMap((child) => spans.get(child) ?? []);
      if (within.length > 0) spans.set(node, { start: within[0].start, end: within.at(-1)!.end });
    }
  }
  // A word alone is a tree without an outermost bracket.
  const hasRoot = tree.form === undefined;
  const phrases = nodes.slice(hasRoot ? 1 : 0).filter((node) => node.form === undefined && spans.has(node));
  return {
    forms: words.map(({ form }) => form!),
    tags: words.map(({ label }) => label),
    root: hasRoot ? tree.label : '',
    constituents: phrases.map((phrase) => ({ label: phrase.label, ...spans.get(phrase)! })),
  };
}

/** Reads several files in lock step. Throws `InputError` at the first place where words or numbers differ. */
export async function* phraseBallots(files: readonly TreebankFile[]): AsyncGenerator<PhraseBallot> {
  for await (const { trees } of treeRows(files)) yield { answers: trees.map(flatAnswer) };
}

export async function* knownPhraseBallots(
  gold: TreebankFile,
  files: readonly TreebankFile[],
): AsyncGenerator<KnownPhraseBallot> {
  for await (const { trees } of treeRows([gold, ...files])) {
    const [known, ...others] = trees;
    yield { gold: known, answers: others.map(flatAnswer) };
  }
}

async function* treeRows(files: readonly TreebankFile[]): AsyncGenerator<{ trees: PhraseTree[] }> {
  const streams = files.map((file) => withTokens(phraseTrees(file)));
  for await (const { sentences, number } of inLockStep(streams)) {
    const [first, ...others] = sentences;
    for (const other of others) checkTokens({ gold: first, predicted: other, number });
    yield { trees: sentences.map(({ tree }) => tree) };
  }
}

interface TreeWithTokens {
  readonly tree: PhraseTree;
  readonly length: number;
  readonly forms: readonly string[];
  readonly source: { readonly file: string; readonly lines: Int32Array };
}

function withTokens(trees: PhraseTreebank): AsyncIterable<TreeWithTokens> & { readonly name: string } {
  return {
    name: trees.name,
    async *[Symbol.asyncIterator]() {
      for await (const { tree, source } of trees) {
        const forms = ['', ...flatAnswer(tree).forms];
        const lines = new Int32Array(forms.length).fill(source.line);
        yield { tree, length: forms.length - 1, forms, source: { file: source.file, lines } };
      }
    },
  };
}
