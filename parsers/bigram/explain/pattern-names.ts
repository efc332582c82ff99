import type { ColumnEncoder, EncodedSentence } from '../../../src/encoding/columns.ts';
import { ValueNames } from '../../../src/encoding/value-names.ts';
import type { FilledTemplate } from '../../../src/explain/decisions.ts';
import type { Pattern } from '../patterns/pattern.ts';

/** Says in words what patterns read of an arc. */
export class PatternNames<P extends string> {
  private readonly values: ValueNames;

  constructor(
    private readonly patterns: readonly Pattern<P>[],
    encoder: ColumnEncoder,
  ) {
    this.values = new ValueNames(encoder);
  }

  /** Each pattern with the words that it reads of the arc h → d; what else it tells of the arc it has a name for. */
  list(sentence: EncodedSentence, h: number, d: number): FilledTemplate[] {
    const direction = d > h ? 'right' : 'left';
    return this.patterns.map(({ name, fields, part }) => {
      const words = fields.map(({ of, column, offset }) => {
        const beside = offset === 0 ? '' : offset > 0 ? `+${offset}` : `${offset}`;
        const node = of === 'head' ? 'h' : 'd';
        return `${node}${beside}=${this.values.beside(sentence, column, of === 'head' ? h : d, offset)}`;
      });
      const told = part === 'direction' ? direction : `${direction} ${part}`;
      return { template: name, feature: [...words, told].join(' ') };
    });
  }
}
