import { z } from 'zod';
import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { LabelCandidates } from '../../src/encoding/label-candidates.ts';
import { loadEncoder, saveVocabularies, vocabularySizes } from '../../src/encoding/saved-encoder.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { DependencyTree, Sentence } from '../../src/treebank/sentence.ts';
import type { Parser, ReadColumn } from '../parser.ts';
import { mirroredHeads, mirroredSentence } from './mirror.ts';
import { TreeFinder } from './search/tree-finder.ts';
import { transitionSettings } from './settings.ts';
import { TransitionModel, type TransitionWeights } from './transition-model.ts';

/** What a model's header says of a parser with stack and buffer. */
const headerSchema = z.object({
  settings: transitionSettings,
  labels: z.array(z.string()).min(1),
  vocabularySizes,
});

/** A trained transition-based parser with stack and buffer. */
export class TransitionParser implements Parser {
  readonly paradigm = 'transition';
  readonly reads: readonly ReadColumn[];
  private readonly finder: TreeFinder;

  constructor(
    private readonly model: TransitionModel,
    private readonly weights: TransitionWeights,
  ) {
    const { encoder } = model;
    const filled = encoder.names.map((_, c) => c).filter((c) => encoder.vocabulary(c).strings().length > 1);
    this.reads = filled.map((c) => encoder.fieldOf(c)).filter((field) => field !== 'forms');
    this.finder = new TreeFinder(model, weights);
  }

  static load(file: ModelReader): TransitionParser {
    const header = file.part('transition', headerSchema);
    const { settings, labels } = header;
    const encoder = loadEncoder(header.vocabularySizes, { ...settings, stem: 'none' }, file);
    const candidates = LabelCandidates.over(settings.tags[0], encoder, labels.length);
    candidates.restore(file.section('candidates', 'int32'));
    const model = new TransitionModel({ settings, encoder, labels, candidates });
    return new TransitionParser(model, {
      actions: file.section('actions', 'int16'),
      labels: file.section('labels', 'int16'),
    });
  }

  save(file: ModelWriter): void {
    const { settings, encoder, labels, candidates } = this.model;
    file.header.transition = { settings, labels, vocabularySizes: saveVocabularies(encoder, file) };
    file.section('candidates', candidates.toArray());
    file.section('actions', this.weights.actions);
    file.section('labels', this.weights.labels);
  }

  parse(sentence: Sentence): DependencyTree {
    const { length } = sentence;
    const { maxLength, direction } = this.model.settings;
    const notice = length > maxLength ? `${length} tokens, parsed in chunks of ${maxLength}` : undefined;
    const encoded = this.model.encoder.encode(sentence);
    if (direction === 'left-to-right') return { ...this.findTree(encoded), notice };
    const { heads, labels } = this.findTree(mirroredSentence(encoded));
    return { heads: mirroredHeads(heads), labels: ['', ...labels.slice(1).reverse()], notice };
  }

  private findTree(sentence: EncodedSentence): DependencyTree {
    const heads = new Int32Array(sentence.length + 1);
    const labels = new Int32Array(sentence.length + 1);
    this.finder.find(sentence, heads, labels);
    return { heads, labels: Array.from(labels, (label, d) => (d === 0 ? '' : this.model.labels[label])) };
  }
}
