import { sha256 } from '../platform/platform.ts';
import { formatSentence } from './columns/write.ts';
import { readBatch } from './reading/treebank-file.ts';
import type { Sentence, Treebank } from './sentence.ts';

/** Sentences as CoNLL-U in shared memory, which worker threads receive without a copy. */
export interface PackedSentences {
  readonly name: string;
  /** The sentences' texts in UTF-8. */
  readonly bytes: SharedArrayBuffer;
  /** Sentence i is `bytes` from starts[i] to starts[i + 1]. */
  readonly starts: Float64Array;
}

/** Packs the sentences of a treebank, without phrases and guides, which CoNLL-U cannot hold. */
export async function packSentences(treebank: Treebank, signal?: AbortSignal): Promise<PackedSentences> {
  const texts: Buffer[] = [];
  const starts = [0];
  for await (const sentence of treebank) {
    signal?.throwIfAborted();
    const text = Buffer.from(formatSentence(sentence, 'conllu'));
    texts.push(text);
    starts.push(starts.at(-1)! + text.length);
  }
  const all = new Uint8Array(new SharedArrayBuffer(starts.at(-1)!));
  for (const [i, text] of texts.entries()) all.set(text, starts[i]);
  return packedAs(treebank.name, all, starts);
}

/** Concatenates packed sentences under the name of the first. */
export function joinPacked(...packed: readonly PackedSentences[]): PackedSentences {
  const length = packed.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  const starts = [0];
  for (const part of packed) {
    const before = starts.at(-1)!;
    bytes.set(new Uint8Array(part.bytes), before);
    for (const start of part.starts.subarray(1)) starts.push(before + start);
  }
  return packedAs(packed[0].name, bytes, starts);
}

function packedAs(name: string, bytes: Uint8Array<SharedArrayBuffer>, starts: readonly number[]) {
  const places = new Float64Array(new SharedArrayBuffer(8 * starts.length));
  places.set(starts);
  return { name, bytes: bytes.buffer, starts: places };
}

export const countOf = ({ starts }: PackedSentences): number => starts.length - 1;

/** Reads packed sentences `from` … `to` − 1. */
export function* unpack(packed: PackedSentences, from = 0, to = countOf(packed)): Generator<Sentence> {
  const { name: file, bytes, starts } = packed;
  for (let i = from; i < to; i++) {
    // TextDecoder refuses shared memory.
    const text = Buffer.from(bytes, starts[i], starts[i + 1] - starts[i]).toString();
    yield* readBatch({ file, line: 1, text }, { format: 'conllu', expect: 'tokens' });
  }
}

export function packedTreebank(packed: PackedSentences): Treebank {
  return {
    name: packed.name,
    digest: packedDigest(packed),
    async *[Symbol.asyncIterator]() {
      yield* unpack(packed);
    },
  };
}

export const packedDigest = ({ bytes, starts }: PackedSentences): string =>
  sha256().update(new Uint8Array(bytes)).update(starts).digest('hex');
