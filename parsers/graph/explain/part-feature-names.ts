import type { ColumnEncoder, EncodedSentence } from '../../../src/encoding/columns.ts';
import { ValueNames } from '../../../src/encoding/value-names.ts';
import type { FilledTemplate } from '../../../src/explain/decisions.ts';
import type { PartTemplate } from '../features/part-templates.ts';
import { NO_TOKEN } from '../higher-order/tree-parts.ts';
import { fieldName, fieldText } from './arc-feature-names.ts';

/** Says in words what the features of parts are that `PartFeatures` has hashes of. */
export class PartFeatureNames {
  private readonly values: ValueNames;

  constructor(private readonly encoder: ColumnEncoder) {
    this.values = new ValueNames(encoder);
  }

  /** Of each template what it reads at each token of a part; `letters` are the names of the tokens. */
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
        const value = this.values.beside(sentence, column, tokens[place], field.offset);
        return fieldText(letters[place], field, isNone ? '⟨none⟩' : value);
      });
      return { template, feature: feature.join(' ') };
    });
  }
}
