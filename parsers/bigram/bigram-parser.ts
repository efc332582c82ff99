import { z } from 'zod';
import type { Decoder } from '../../src/decode/decoder.ts';
import { createDecoder } from '../../src/decode/registry.ts';
import { findHeadsInChunks } from '../../src/encoding/chunks.ts';
import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { isFilled } from '../../src/encoding/examples.ts';
import { LabelCandidates } from '../../src/encoding/label-candidates.ts';
import { loadEncoder, saveVocabularies, vocabularySizes } from '../../src/encoding/saved-encoder.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { DependencyTree, Sentence } from '../../src/treebank/sentence.ts';
import type { Parser, ReadColumn } from '../parser.ts';
import type { ArcEstimate } from './arcs/estimate.ts';
import { InterpolatedEstimate } from './arcs/interpolated.ts';
import { ZemanEstimate } from './arcs/zeman.ts';
import { arcKeys, type BigramModel, labelKeys, zemanColumns } from './bigram-model.ts';
import { createGreedy } from './greedy.ts';
import { Labels } from './labels/labels.ts';
import { bigramSettings } from './options.ts';

/** What a model's header says of a bigram parser. */
const headerSchema = z.object({
  settings: bigramSettings,
  labels: z.array(z.string()).min(1),
  vocabularySizes,
});

/** A trained bigram parser: counts give every arc a probability, a decoder the best tree, counts its labels. */
export class BigramParser implements Parser {
  readonly paradigm = 'bigram';
  readonly reads: readonly ReadColumn[];
  private readonly decoder: Decoder;
  private buffer = new Float32Array(0);
  private labelNumbers = new Int32Array(0);

  constructor(
    private readonly model: BigramModel,
    private readonly estimate: ArcEstimate,
    private readonly labels: Labels,
  ) {
    const { encoder, settings } = model;
    const { decoder, singleRoot, tags } = settings;
    const columns = ['lemma', ...tags, 'feats'] as const;
    const filled = columns.filter((name) => isFilled(name, encoder));
    this.reads = filled.map((name) => (name === 'lemma' ? 'lemmas' : name));
    this.decoder =
      decoder === 'greedy'
        ? createGreedy({ singleRoot }, estimate.takesOne)
        : createDecoder(decoder, { singleRoot });
  }

  static load(file: ModelReader): BigramParser {
    const { settings, labels, vocabularySizes: sizes } = file.part('bigram', headerSchema);
    const encoder = loadEncoder(sizes, { normalize: settings.normalize, stem: 'none' }, file);
    const candidates = LabelCandidates.over(settings.tags[0], encoder, labels.length);
    candidates.restore(file.section('candidates', 'int32'));
    const model = { settings, encoder, labels, candidates };
    const estimate =
      settings.estimate === 'zeman'
        ? ZemanEstimate.load(zemanColumns(model), settings, file)
        : InterpolatedEstimate.load(arcKeys(model), file);
    return new BigramParser(model, estimate, Labels.load(labelKeys(model), candidates, file));
  }

  save(file: ModelWriter): void {
    const { settings, encoder, labels, candidates } = this.model;
    const header = { settings, labels, vocabularySizes: saveVocabularies(encoder, file) };
    file.header.bigram = header;
    file.section('candidates', candidates.toArray());
    this.estimate.save(file);
    this.labels.save(file);
  }

  parse(sentence: Sentence): DependencyTree {
    const { length } = sentence;
    const { labels, encoder, settings } = this.model;
    const { maxLength } = settings;
    const encoded = encoder.encode(sentence);
    const heads = this.findHeads(encoded);
    if (this.labelNumbers.length <= length) this.labelNumbers = new Int32Array(2 * length + 1);
    this.labels.find(encoded, heads, this.labelNumbers);
    const names: string[] = [''];
    for (let d = 1; d <= length; d++) names.push(labels[this.labelNumbers[d]]);
    const notice = length > maxLength ? `${length} tokens, parsed in chunks of ${maxLength}` : undefined;
    return { heads, labels: names, notice };
  }

  /**
   * The score matrix of a sentence: (length + 1)², `[h * (length + 1) + d]` for the arc h → d: its log
   * probability or log odds, up to a constant for each dependent.
   */
  scores(sentence: Sentence): Float32Array {
    const scores = new Float32Array((sentence.length + 1) ** 2);
    this.estimate.score(this.model.encoder.encode(sentence), scores);
    return scores;
  }

  /** The heads of the best tree of an encoded sentence. */
  private findHeads(sentence: EncodedSentence): Int32Array {
    const { maxLength } = this.model.settings;
    const heads = new Int32Array(sentence.length + 1);
    const findTree = (chunk: EncodedSentence, found: Int32Array) => {
      const size = (chunk.length + 1) ** 2;
      if (this.buffer.length < size) this.buffer = new Float32Array(2 * size);
      this.estimate.score(chunk, this.buffer);
      this.decoder.decode(this.buffer, chunk.length, found);
    };
    if (sentence.length <= maxLength) findTree(sentence, heads);
    else findHeadsInChunks(sentence, maxLength, heads, findTree);
    return heads;
  }
}
