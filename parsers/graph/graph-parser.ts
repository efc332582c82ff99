import type { EncodedSentence } from '../../src/encoding/columns.ts';
import { loadNumbering, saveNumbering } from '../../src/encoding/numbering.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { EncodedParser, type EncodedTree } from '../encoded-parser.ts';
import { columnsInUse } from './features/templates.ts';
import { GraphModel } from './graph-model.ts';
import { graphSettings } from './settings.ts';

/** A trained edge-factored parser (McDonald, Crammer & Pereira 2005): the best tree, then its labels. */
export class GraphParser extends EncodedParser {
  readonly paradigm = 'graph';

  constructor(
    private readonly model: GraphModel,
    private readonly arcWeights: Int16Array,
    private readonly labelWeights: Int16Array,
  ) {
    const { templates, tags, maxLength } = model.settings;
    super(model.numbering, columnsInUse(templates, tags), maxLength);
  }

  static load(file: ModelReader): GraphParser {
    const settings = graphSettings(file.fields('graph').fields('settings'));
    const model = new GraphModel({ settings, numbering: loadNumbering(file, 'graph', settings) });
    return new GraphParser(model, file.section('arcs', 'int16'), file.section('labels', 'int16'));
  }

  save(file: ModelWriter): void {
    const { settings } = this.model;
    file.header.graph = { settings, ...saveNumbering(this.numbering, file) };
    file.section('arcs', this.arcWeights);
    file.section('labels', this.labelWeights);
  }

  /** The score matrix of a sentence: (length + 1)², `[h * (length + 1) + d]` for the arc h → d. */
  scores(sentence: Sentence): Float32Array {
    const { length } = sentence;
    const encoded = this.numbering.encoder.encode(sentence);
    return this.model.score(encoded, this.arcWeights).slice(0, (length + 1) ** 2);
  }

  findTree(sentence: EncodedSentence): EncodedTree {
    const tree = this.roomFor(sentence.length);
    this.model.findHeads(sentence, this.arcWeights, tree.heads);
    this.model.findLabels(sentence, this.labelWeights, tree.heads, tree.labels);
    return tree;
  }
}
