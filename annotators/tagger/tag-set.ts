import { InputError } from '../../src/errors.ts';
import { joinStrings, splitStrings } from '../../src/model/layout.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';

/** All that a word is tagged with, as one. */
export interface Bundle {
  readonly upos: string;
  readonly xpos: string;
  readonly feats: string;
}

/** The most bundles that can be numbered. */
const MOST = 1 << 20;

/**
 * The bundles of tags that a treebank has, as a tree: under each universal tag the language's own tags that were
 * seen with it, under each such pair the bundles of features. A word whose tags are found by going down that tree
 * has tags that belong together.
 *
 * Universal tags, pairs and bundles are numbered in the order of their first appearance.
 */
export class TagSet {
  readonly bundles: Bundle[] = [];
  readonly upos: string[] = [];
  /** Of each universal tag its pairs. */
  readonly pairsOf: number[][] = [];
  /** Of each pair its bundles. */
  readonly bundlesOf: number[][] = [];
  /** Of each bundle its universal tag, and its pair. */
  readonly uposOfBundle: number[] = [];
  readonly pairOfBundle: number[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly uposNumbers = new Map<string, number>();
  private readonly pairs = new Map<string, number>();

  /** Throws `InputError` where the model holds no bundles of three fields each. */
  static load(model: ModelReader): TagSet {
    const set = new TagSet();
    const lines = splitStrings(model.section('tagger.tags', 'uint8'));
    for (const line of lines) {
      const [upos, xpos, feats, ...more] = line.split('\t');
      const isWhole = upos && xpos && feats && more.length === 0;
      const number = isWhole ? set.add({ upos, xpos, feats }) : -1;
      if (number !== set.bundles.length - 1) break;
    }
    if (lines.length === 0 || set.bundles.length !== lines.length || set.numbers.size !== lines.length) {
      throw new InputError('damaged: section tagger.tags does not hold tags, each once', {
        file: model.name,
      });
    }
    return set;
  }

  save(model: ModelWriter): void {
    model.section('tagger.tags', joinStrings(this.bundles.map(keyOf)));
  }

  /** The number of a bundle; the next free one where it is new. */
  add(bundle: Bundle): number {
    const key = keyOf(bundle);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.bundles.length;
    if (number === MOST) throw new InputError(`more than ${MOST} different tags`);
    const upos = this.uposOf(bundle.upos);
    const pair = this.pairOf(upos, bundle.xpos);
    this.numbers.set(key, number);
    this.bundles.push(bundle);
    this.uposOfBundle.push(upos);
    this.pairOfBundle.push(pair);
    this.bundlesOf[pair].push(number);
    return number;
  }

  private uposOf(name: string): number {
    const known = this.uposNumbers.get(name);
    if (known !== undefined) return known;
    this.uposNumbers.set(name, this.upos.length);
    this.pairsOf.push([]);
    return this.upos.push(name) - 1;
  }

  private pairOf(upos: number, xpos: string): number {
    const key = `${upos}\t${xpos}`;
    const known = this.pairs.get(key);
    if (known !== undefined) return known;
    const pair = this.bundlesOf.push([]) - 1;
    this.pairs.set(key, pair);
    this.pairsOf[upos].push(pair);
    return pair;
  }
}

function keyOf({ upos, xpos, feats }: Bundle): string {
  return `${upos}\t${xpos}\t${feats}`;
}
