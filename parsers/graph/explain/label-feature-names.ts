import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { FilledTemplate } from '../../../src/explain/decisions.ts';
import { arcTemplatesOf, RELATIVE_TOKENS, relativeTemplatesOf } from '../features/label-templates.ts';
import { templatesOver } from '../features/templates.ts';
import type { GraphModel } from '../graph-model.ts';
import { Relatives } from '../labels/relatives.ts';
import { ArcFeatureNames } from './arc-feature-names.ts';
import type { GuideFeatureNames } from './guide-feature-names.ts';
import { PartFeatureNames } from './part-feature-names.ts';

/** Says in words what the features are that labels are chosen by, and that `LabelFeatures` has hashes of. */
export class LabelFeatureNames {
  private readonly arcs: ArcFeatureNames;
  private readonly parts: PartFeatureNames;

  constructor(
    private readonly model: GraphModel,
    guides: GuideFeatureNames,
  ) {
    const { settings, numbering } = model;
    const templates = templatesOver(arcTemplatesOf(settings.templates.labels), settings.tags);
    this.arcs = new ArcFeatureNames(templates, numbering.encoder, 'none', guides);
    this.parts = new PartFeatureNames(numbering.encoder);
  }

  /** The features of the arc into d of a tree, in the order of their hashes. */
  list(sentence: EncodedSentence, heads: Int32Array, d: number): FilledTemplate[] {
    return [...this.arcs.list(sentence, heads[d], d), ...this.ofRelatives(sentence, heads, d)];
  }

  private ofRelatives(sentence: EncodedSentence, heads: Int32Array, d: number): FilledTemplate[] {
    const { templates, tags } = this.model.settings;
    const relatives = new Relatives();
    relatives.setTree(heads, sentence.length);
    relatives.setArc(d);
    return Array.from({ length: relatives.rows }, (_, row) => {
      relatives.choose(row);
      const ofKind = relativeTemplatesOf(relatives.kind, templates.labels, tags);
      const lie = relatives.lieName;
      return this.parts
        .list(ofKind, RELATIVE_TOKENS, sentence, relatives.tokens)
        .map(({ template, feature }) => ({ template, feature: `${feature} ∧ ${lie}` }));
    }).flat();
  }
}
