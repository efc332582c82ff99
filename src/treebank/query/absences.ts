import type { Sentence } from '../sentence.ts';
import { isVerdict, type Property, propertyNamed } from './conditions.ts';
import { type Clauses, type Condition, parseQuery } from './syntax.ts';

type Named = Condition & { readonly name: string };

/** A property of words that a query asks for, or one of its values. */
interface Wanted {
  readonly name: string;
  readonly value?: string;
  readonly property: Property;
}

/** What a query's pattern asks for and no word of the sentences seen so far has: often a misspelling. */
export class Absences {
  private missing: Wanted[];

  /** @param query text of the query; its blocks are left aside */
  constructor(query: string) {
    this.missing = conditionsOf(parseQuery(query).pattern).flatMap(wantedBy);
  }

  see(sentence: Sentence): void {
    this.missing = this.missing.filter(({ property, value }) => {
      for (let d = 1; d <= sentence.length; d++) {
        const found = property(sentence, d);
        if (value === undefined ? found !== undefined : found === value) return false;
      }
      return true;
    });
  }

  /** For messages: `upos=VREB`, or `the property Csae` where no word has it with any value; each once. */
  get all(): readonly string[] {
    const names = new Set(this.missing.flatMap(({ name, value }) => (value === undefined ? name : [])));
    const values = this.missing.filter(({ name }) => !names.has(name));
    const texts = values.map(({ name, value }) => `${name}=${value}`);
    return [...Array.from(names, (name) => `the property ${name}`), ...new Set(texts)];
  }
}

/** The conditions on words, those on labels of arcs and on equal properties among them. */
const conditionsOf = ({ conditions, relations }: Clauses): Named[] => [
  ...conditions.filter(({ name }) => !isVerdict(name)),
  ...relations.flatMap((relation): Named[] => {
    if (relation.kind === 'arc') return relation.label ? [{ ...relation.label, name: 'label' }] : [];
    if (relation.kind !== 'equal') return [];
    const names = [relation.leftName, relation.rightName];
    return names.map((name) => ({ name, values: undefined, negated: false }));
  }),
];

function wantedBy({ name, values, negated }: Named): Wanted[] {
  if (values === undefined && negated) return [];
  const property = propertyNamed(name);
  const texts = negated ? [] : (values ?? []).filter((value) => typeof value === 'string');
  return [{ name, property }, ...texts.map((value) => ({ name, value, property }))];
}
