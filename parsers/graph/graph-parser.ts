import { z } from 'zod';
import { isFilled } from '../../src/encoding/examples.ts';
import { LabelCandidates } from '../../src/encoding/label-candidates.ts';
import { loadEncoder, saveVocabularies, vocabularySizes } from '../../src/encoding/saved-encoder.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { DependencyTree, Sentence } from '../../src/treebank/sentence.ts';
import type { Parser, ReadColumn } from '../parser.ts';
import { columnsInUse } from './features/templates.ts';
import { GraphModel } from './graph-model.ts';
import { graphOptions } from './options.ts';

/** What a model's header says of a graph parser. */
const headerSchema = z.object({
  settings: graphOptions.omit({ tag: true, singleRoot: true }).extend({
    tags: z.array(z.enum(['upos', 'xpos'])).min(1),
    singleRoot: z.boolean(),
  }),
  labels: z.array(z.string()).min(1),
  vocabularySizes,
});

/** A trained edge-factored parser (McDonald, Crammer & Pereira 2005): the best tree, then its labels. */
export class GraphParser implements Parser {
  readonly paradigm = 'graph';
  readonly reads: readonly ReadColumn[];
  private labels = new Int32Array(0);

  constructor(
    private readonly model: GraphModel,
    private readonly arcWeights: Int16Array,
    private readonly labelWeights: Int16Array,
  ) {
    this.reads = columnsRead(model);
  }

  static load(file: ModelReader): GraphParser {
    const header = file.part('graph', headerSchema);
    const { settings, labels } = header;
    const encoder = loadEncoder(header.vocabularySizes, settings, file);
    const candidates = LabelCandidates.over(settings.tags[0], encoder, labels.length);
    candidates.restore(file.section('candidates', 'int32'));
    const model = new GraphModel({ settings, encoder, labels, candidates });
    return new GraphParser(model, file.section('arcs', 'int16'), file.section('labels', 'int16'));
  }

  save(file: ModelWriter): void {
    const { settings, encoder, labels, candidates } = this.model;
    file.header.graph = { settings, labels, vocabularySizes: saveVocabularies(encoder, file) };
    file.section('candidates', candidates.toArray());
    file.section('arcs', this.arcWeights);
    file.section('labels', this.labelWeights);
  }

  /** The score matrix of a sentence: (length + 1)², `[h * (length + 1) + d]` for the arc h → d. */
  scores(sentence: Sentence): Float32Array {
    const { length } = sentence;
    return this.model.score(this.model.encoder.encode(sentence), this.arcWeights).slice(0, (length + 1) ** 2);
  }

  parse(sentence: Sentence): DependencyTree {
    const { model } = this;
    const { length } = sentence;
    const encoded = model.encoder.encode(sentence);
    const heads = new Int32Array(length + 1);
    model.findHeads(encoded, this.arcWeights, heads);
    if (this.labels.length <= length) this.labels = new Int32Array(2 * length + 1);
    model.findLabels(encoded, this.labelWeights, heads, this.labels);
    const labels: string[] = [''];
    for (let d = 1; d <= length; d++) labels.push(model.labels[this.labels[d]]);
    const { maxLength } = model.settings;
    const notice = length > maxLength ? `${length} tokens, parsed in chunks of ${maxLength}` : undefined;
    return { heads, labels, notice };
  }
}

/** What the templates read, where training data had anything in it. */
function columnsRead({ settings, encoder }: GraphModel): ReadColumn[] {
  const filled = columnsInUse(settings).filter((name) => isFilled(name, encoder));
  const fields = filled.map((name) => encoder.fieldOf(encoder.names.indexOf(name)));
  return [...new Set(fields)].filter((field) => field !== 'forms');
}
