import { type ColumnEncoder, type EncodedSentence, ValueNames } from '../../../src/encoding/columns.ts';
import { type GuideTree, guideViewName, guideViews } from '../../../src/encoding/guides.ts';
import { offsetText } from '../../../src/encoding/templates/notation.ts';
import type { FilledTemplate } from '../../../src/explain/decisions.ts';
import { kindOf, templateKinds } from '../features/arc-features.ts';
import { type DistanceKind, Distances } from '../features/distance.ts';
import {
  type GuideTemplate,
  guideTagColumn,
  guideTemplatesOver,
  relationNames,
  relationToTree,
} from '../features/guide-features.ts';
import type { PlacedField } from '../features/part-features.ts';
import type { Field, PartTemplate, Template } from '../features/templates.ts';
import {
  arcTemplatesOf,
  RELATIVE_TOKENS,
  relativeTemplatesOf,
  templatesOver,
} from '../features/templates.ts';
import type { GraphModel } from '../graph-model.ts';
import { Relatives } from '../labeller.ts';
import { NO_TOKEN } from '../tree-parts.ts';

/** Readable names of the features of an arc, in the order in which `ArcFeatures` lists their hashes. */
export class ArcFeatureNames {
  private readonly templates: readonly Template[];
  private readonly values: ValueNames;
  private readonly distances: Distances;

  constructor(
    templates: readonly Template[],
    private readonly encoder: ColumnEncoder,
    distance: DistanceKind,
    private readonly guides: GuideFeatureNames,
  ) {
    this.templates = templateKinds.flatMap((kind) => templates.filter((one) => kindOf(one) === kind));
    this.values = new ValueNames(encoder);
    this.distances = new Distances(distance);
  }

  list(sentence: EncodedSentence, h: number, d: number): FilledTemplate[] {
    const bare = this.templates.flatMap((template) => {
      const pair = [
        this.read(sentence, 'h', h, template.head),
        this.read(sentence, 'd', d, template.dependent),
      ];
      const between =
        template.between.length === 0 ? [[]] : this.between(sentence, h, d, template.between[0]);
      return between.map((word) => ({ template: template.name, feature: [...pair, word].flat().join(' ') }));
    });
    const distance = this.distances.nameOf(h, d);
    const conjoined = bare.map(({ template, feature }) => ({
      template,
      feature: `${feature} ∧ ${distance}`,
    }));
    return [...bare, ...conjoined, ...this.guides.list(sentence, h, d)];
  }

  private read(sentence: EncodedSentence, node: string, position: number, fields: readonly Field[]) {
    return fields.map((field) => fieldText(node, field, this.valueOf(sentence, position, field)));
  }

  private valueOf(sentence: EncodedSentence, position: number, { column, offset }: Field): string {
    return this.values.valueNear(sentence, this.encoder.names.indexOf(column), position, offset);
  }

  private between(sentence: EncodedSentence, h: number, d: number, field: Field): string[][] {
    const step = d > h ? 1 : -1;
    const found = new Set<string>();
    for (let b = h + step; b !== d; b += step) found.add(this.valueOf(sentence, b, field));
    if (found.size === 0) return [['nothing between']];
    return [...found].map((value) => [fieldText('b', field, value)]);
  }
}

/** `h.form=saw`, `d-1.upos=DET`. */
const fieldText = (node: string, field: Field, value: string): string => `${fieldName(node, field)}=${value}`;

/** `h.form`, `d-1.upos`. */
const fieldName = (node: string, { column, offset }: Field): string =>
  `${node}${offsetText(offset)}.${column}`;

/** Readable names of the features of parts, in the order in which `PartFeatures` lists their hashes. */
export class PartFeatureNames {
  private readonly values: ValueNames;

  constructor(private readonly encoder: ColumnEncoder) {
    this.values = new ValueNames(encoder);
  }

  /** Lists what each template reads at each token of a part; `letters` name the tokens. */
  list(
    templates: readonly PartTemplate[],
    letters: string,
    sentence: EncodedSentence,
    tokens: ArrayLike<number>,
  ): FilledTemplate[] {
    const { names } = this.encoder;
    return templates.map((byToken) => {
      const fields = byToken.flatMap((own, place) => own.map((field) => ({ field, place })));
      const template = fields.map(({ field, place }) => fieldName(letters[place], field)).join(' ');
      const feature = fields.map(({ field, place }) => {
        const column = names.indexOf(field.column);
        const isNone = tokens[place] === NO_TOKEN && letters[place] !== 'g' && letters[place] !== 'h';
        const value = this.values.valueNear(sentence, column, tokens[place], field.offset);
        return fieldText(letters[place], field, isNone ? '⟨none⟩' : value);
      });
      return { template, feature: feature.join(' ') };
    });
  }
}

/** Readable names of the features of an arc's label, in the order in which `LabelFeatures` lists their hashes. */
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
      const layout = relatives.layoutName;
      return this.parts
        .list(ofKind, RELATIVE_TOKENS, sentence, relatives.tokens)
        .map(({ template, feature }) => ({ template, feature: `${feature} ∧ ${layout}` }));
    }).flat();
  }
}

/** Readable names of the features from guides, in the order in which `GuideFeatures` lists their hashes. */
export class GuideFeatureNames {
  private readonly templates: readonly GuideTemplate[];
  private readonly values: ValueNames;

  constructor(private readonly model: GraphModel) {
    this.templates = guideTemplatesOver(model.settings.tags);
    this.values = new ValueNames(model.numbering.encoder);
  }

  list(sentence: EncodedSentence, h: number, d: number): FilledTemplate[] {
    const { guides = [] } = sentence;
    return guideViews(guides).flatMap((view, v) => {
      const name = guideViewName(v, guides.length);
      const relations = view.map(({ heads }) => relationNames[relationToTree(heads, h, d)]).join(' / ');
      return this.templates.map(({ head, dependent }) => {
        const fields = [
          ...head.map((field) => ({ field, node: 'h', token: h })),
          ...dependent.map((field) => ({ field, node: 'd', token: d })),
        ];
        const template = fields.map(({ field, node }) => `${node}.${field.column}`).join(' ');
        const read = fields.map(
          ({ field, node, token }) => `${node}.${field.column}=${this.valueOf(sentence, view, field, token)}`,
        );
        const direction = h < d ? 'right' : 'left';
        return {
          template: `${name}: ${template}`,
          feature: [...read, `∧ ${relations}, ${direction}`].join(' '),
        };
      });
    });
  }

  private valueOf(
    sentence: EncodedSentence,
    view: readonly GuideTree[],
    { column, offset }: PlacedField,
    token: number,
  ): string {
    const { encoder, labels: labelNames } = this.model.numbering;
    const { names } = encoder;
    if (column === 'guideLabel')
      return view.map(({ labels }) => labelNames[labels[token]] ?? '–').join(' / ');
    if (column === 'guideHeadTag') {
      const tag = guideTagColumn(names);
      const tagOf = (head: number) => (head < 0 ? '–' : this.values.valueNear(sentence, tag, head, 0));
      return view.map(({ heads }) => tagOf(heads[token])).join(' / ');
    }
    const at = (names as readonly string[]).indexOf(column);
    return at === -1 ? '–' : this.values.valueNear(sentence, at, token, offset);
  }
}
