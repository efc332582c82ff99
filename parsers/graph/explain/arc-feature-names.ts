import type { ColumnEncoder, EncodedSentence } from '../../../src/encoding/columns.ts';
import { ValueNames } from '../../../src/encoding/value-names.ts';
import type { FilledTemplate } from '../../../src/explain/decisions.ts';
import { kindOf, templateKinds } from '../features/arc-features.ts';
import { type DistanceKind, Distances } from '../features/distance.ts';
import type { Field, Template } from '../features/templates.ts';
import type { GuideFeatureNames } from './guide-feature-names.ts';

/** Says in words what the features of arcs are that `ArcFeatures` has hashes of. */
export class ArcFeatureNames {
  private readonly templates: readonly Template[];
  private readonly values: ValueNames;
  private readonly distances: Distances;

  constructor(
    templates: readonly Template[],
    private readonly encoder: ColumnEncoder,
    distance: DistanceKind,
    private readonly guides?: GuideFeatureNames,
  ) {
    this.templates = templateKinds.flatMap((kind) => templates.filter((one) => kindOf(one) === kind));
    this.values = new ValueNames(encoder);
    this.distances = new Distances(distance);
  }

  /** The features of an arc, in the order in which `ArcFeatures` lists their hashes. */
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
    return [...bare, ...conjoined, ...(this.guides?.list(sentence, h, d) ?? [])];
  }

  private read(
    sentence: EncodedSentence,
    node: string,
    position: number,
    fields: readonly Field[],
  ): string[] {
    return fields.map((field) => fieldText(node, field, this.valueOf(sentence, position, field)));
  }

  private valueOf(sentence: EncodedSentence, position: number, { column, offset }: Field): string {
    return this.values.beside(sentence, this.encoder.names.indexOf(column), position, offset);
  }

  /** Each different value that a field has between two tokens, in the order from the head on. */
  private between(sentence: EncodedSentence, h: number, d: number, field: Field): string[][] {
    const step = d > h ? 1 : -1;
    const found = new Set<string>();
    for (let b = h + step; b !== d; b += step) found.add(this.valueOf(sentence, b, field));
    if (found.size === 0) return [['nothing between']];
    return [...found].map((value) => [fieldText('b', field, value)]);
  }
}

/** `h.form=saw`, `d-1.upos=DET`. */
export function fieldText(node: string, field: Field, value: string): string {
  return `${fieldName(node, field)}=${value}`;
}

/** `h.form`, `d-1.upos`. */
export function fieldName(node: string, { column, offset }: Field): string {
  const beside = offset === 0 ? '' : offset > 0 ? `+${offset}` : `${offset}`;
  return `${node}${beside}.${column}`;
}
