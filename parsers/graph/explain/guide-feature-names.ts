import type { ColumnEncoder, EncodedSentence } from '../../../src/encoding/columns.ts';
import type { GuideTree } from '../../../src/encoding/guides.ts';
import { ValueNames } from '../../../src/encoding/value-names.ts';
import type { FilledTemplate } from '../../../src/explain/decisions.ts';
import { guideTagColumn, lieInTree, lieNames } from '../features/guide-features.ts';
import { type GuideField, type GuideTemplate, guideTemplatesOver } from '../features/guide-templates.ts';
import type { GraphModel } from '../graph-model.ts';

/** Says in words what the features of arcs are that `GuideFeatures` has hashes of. */
export class GuideFeatureNames {
  private readonly templates: readonly GuideTemplate[];
  private readonly encoder: ColumnEncoder;
  private readonly labels: readonly string[];
  private readonly values: ValueNames;

  constructor({ settings, numbering }: GraphModel) {
    this.templates = guideTemplatesOver(settings.tags);
    this.encoder = numbering.encoder;
    this.labels = numbering.labels;
    this.values = new ValueNames(numbering.encoder);
  }

  /** The features of an arc, in the order of their hashes; none where there are no guides. */
  list(sentence: EncodedSentence, h: number, d: number): FilledTemplate[] {
    const { guides = [] } = sentence;
    const views = [...guides.map((guide) => [guide]), ...(guides.length > 1 ? [guides] : [])];
    return views.flatMap((view, v) => {
      const name = v < guides.length ? `guide ${v + 1}` : 'all guides';
      const lies = view.map(({ heads }) => lieNames[lieInTree(heads, h, d)]).join(' / ');
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
        return { template: `${name}: ${template}`, feature: [...read, `∧ ${lies}, ${direction}`].join(' ') };
      });
    });
  }

  private valueOf(
    sentence: EncodedSentence,
    view: readonly GuideTree[],
    { column, offset }: GuideField,
    token: number,
  ): string {
    const { names } = this.encoder;
    if (column === 'guideLabel')
      return view.map(({ labels }) => this.labels[labels[token]] ?? '–').join(' / ');
    if (column === 'guideHeadTag') {
      const tag = guideTagColumn(names);
      const tagOf = (head: number) => (head < 0 ? '–' : this.values.beside(sentence, tag, head, 0));
      return view.map(({ heads }) => tagOf(heads[token])).join(' / ');
    }
    const at = (names as readonly string[]).indexOf(column);
    return at === -1 ? '–' : this.values.beside(sentence, at, token, offset);
  }
}
