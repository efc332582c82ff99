import { z } from 'zod';
import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { type Example, isFilled } from '../../src/encoding/examples.ts';
import { LabelCandidates } from '../../src/encoding/label-candidates.ts';
import { loadEncoder, saveVocabularies, vocabularySizes } from '../../src/encoding/saved-encoder.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { scoreHeldOut } from '../../src/training/held-out.ts';
import type { DependencyTree, Sentence } from '../../src/treebank/sentence.ts';
import type { EpochScores, Parser, ReadColumn } from '../parser.ts';
import type { ClassifierData } from './classifiers/classifier.ts';
import { ClassifierSet, classifiersSchema, loadClassifiers } from './classifiers/classifier-set.ts';
import { LABEL_DEGREE, YamadaMatsumotoModel } from './model.ts';
import { settingsSchema } from './settings.ts';
import { ACTIONS } from './system.ts';

/** What a model's header says of it. */
const headerSchema = z.object({
  settings: settingsSchema,
  labels: z.array(z.string()).min(1),
  vocabularySizes,
  actionClassifiers: classifiersSchema,
  labelClassifiers: classifiersSchema,
});

/** A trained parser of Yamada & Matsumoto (2003); arcs get their labels once the tree is whole. */
export class YamadaMatsumotoParser implements Parser {
  readonly paradigm = 'transition';
  readonly reads: readonly ReadColumn[];
  private readonly actions: ClassifierSet;
  private readonly labelling: ClassifierSet;

  constructor(
    private readonly model: YamadaMatsumotoModel,
    actions: readonly ClassifierData[],
    labelling: readonly ClassifierData[],
  ) {
    const { settings, encoder, labels } = model;
    this.reads = ([...settings.tags, 'feats'] as const).filter((column) => isFilled(column, encoder));
    this.actions = new ClassifierSet(actions, settings.degree, ACTIONS);
    this.labelling = new ClassifierSet(labelling, LABEL_DEGREE, labels.length);
  }

  static load(file: ModelReader): YamadaMatsumotoParser {
    const header = file.part('transition', headerSchema);
    const { settings, labels } = header;
    const encoder = loadEncoder(header.vocabularySizes, { ...settings, stem: 'none' }, file);
    const candidates = LabelCandidates.over(settings.tags[0], encoder, labels.length);
    candidates.restore(file.section('candidates', 'int32'));
    return new YamadaMatsumotoParser(
      new YamadaMatsumotoModel({ settings, encoder, labels, candidates }),
      loadClassifiers(header.actionClassifiers, file, 'actions'),
      loadClassifiers(header.labelClassifiers, file, 'labels'),
    );
  }

  save(file: ModelWriter): void {
    const { settings, encoder, labels, candidates } = this.model;
    file.section('candidates', candidates.toArray());
    const header: z.infer<typeof headerSchema> = {
      settings,
      labels: [...labels],
      vocabularySizes: saveVocabularies(encoder, file),
      actionClassifiers: this.actions.save(file, 'actions'),
      labelClassifiers: this.labelling.save(file, 'labels'),
    };
    file.header.transition = header;
  }

  parse(sentence: Sentence): DependencyTree {
    const { model } = this;
    const { length } = sentence;
    const heads = new Int32Array(length + 1);
    const numbers = new Int32Array(length + 1);
    this.findTree(model.encoder.encode(sentence), heads, numbers);
    const labels: string[] = [''];
    for (let d = 1; d <= length; d++) labels.push(model.labels[numbers[d]]);
    const { maxLength } = model.settings;
    const notice = length > maxLength ? `${length} tokens, parsed in chunks of ${maxLength}` : undefined;
    return { heads, labels, notice };
  }

  /** How well it does on encoded sentences. */
  score(examples: readonly Example[]): EpochScores {
    return scoreHeldOut(examples, (example, heads, labels) => this.findTree(example, heads, labels));
  }

  /** Writes heads, and labels as numbers, into arrays of length + 1 entries or more. */
  private findTree(sentence: EncodedSentence, heads: Int32Array, labels: Int32Array): void {
    this.model.findHeads(sentence, this.actions, heads);
    this.model.findLabels(sentence, this.labelling, heads, labels);
  }
}
