import type { Numbering } from '../../../src/encoding/numbering.ts';
import { ValueNames } from '../../../src/encoding/value-names.ts';
import type { FilledTemplate } from '../../../src/explain/decisions.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import { type DescribedGuideFeature, type GuideValue, placeNames } from '../features/guide-features.ts';

/** Says in words what features of configurations read of the trees of other parsers. */
export class GuideFeatureNames {
  private readonly values: ValueNames;

  /** @param tag the column of the tags that they read */
  constructor(
    private readonly numbering: Numbering,
    private readonly tag: TagColumn,
  ) {
    this.values = new ValueNames(numbering.encoder);
  }

  list(features: readonly DescribedGuideFeature[]): FilledTemplate[] {
    return features.map(({ guides, values }) => {
      const whose = guides.length === 1 ? `guide ${guides[0] + 1}` : 'all guides';
      const template = values.map(({ name }) => name).join(' ');
      const feature = values.map(({ name, read }) => `${name}=${this.texts(name, read)}`).join(' ');
      return { template: `${whose}: ${template}`, feature };
    });
  }

  /** What several guides say of one value; what is of the sentence is the same for all. */
  private texts(name: GuideValue, read: readonly number[]): string {
    return [...new Set(read.map((value) => this.text(name, value)))].join(' / ');
  }

  private text(name: GuideValue, value: number): string {
    const { encoder, labels } = this.numbering;
    if (value < 0) return '⟨none⟩';
    if (name.endsWith('Tag')) return this.values.of(encoder.names.indexOf(this.tag), value);
    if (name.endsWith('Form')) return this.values.of(encoder.names.indexOf('form'), value);
    if (name.endsWith('Label')) return labels[value];
    if (name === 'leftHead') return `${placeNames[value >> 1]}${value % 2 === 1 ? ' (has a head)' : ''}`;
    return name.endsWith('Head') ? placeNames[value] : String(value);
  }
}
