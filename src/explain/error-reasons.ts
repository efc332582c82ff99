import type { MatrixExplanation } from './matrix.ts';
import type { Decision } from './shared.ts';

export interface WrongToken {
  /** The number of its sentence, from 1. */
  readonly sentence: number;
  readonly id?: string | undefined;
  readonly token: number;
  readonly form: string;
}

/** A template's mean contribution to errors of a kind; above 0 it favours the wrong answer. */
export interface TemplateReason {
  readonly template: string;
  readonly difference: number;
  readonly misled: number;
}

export interface KindOfError {
  /** `label`: the head is right. */
  readonly of: 'head' | 'label';
  /** Tags of the heads, or labels. */
  readonly found: string;
  readonly gold: string;
  readonly count: number;
  /** Mean score of the wrong answer − score of the right one. */
  readonly margin: number;
  /** Those that favour the wrong answer most come first. */
  readonly templates: readonly TemplateReason[];
  readonly tokens: readonly WrongToken[];
}

interface Growing extends Pick<KindOfError, 'of' | 'found' | 'gold'> {
  readonly tokens: WrongToken[];
  readonly margins: number[];
  readonly templates: Map<string, { sum: number; misled: number }>;
}

/** Counts which templates are responsible for a parser's errors, by kind of error. */
export class ErrorReasons {
  private readonly kinds = new Map<string, Growing>();

  /** `explained`: the explanation of the wrong arc, with gold. */
  add(explained: MatrixExplanation, sentence: number): void {
    const { arc, tree, gold, tokens, id } = explained;
    if (arc === undefined || gold === undefined)
      throw new Error('expected an explanation of an arc, with gold');
    const d = arc.dependent;
    const of = tree.heads[d] === gold.heads[d] ? 'label' : 'head';
    const tagOfHead = (head: number) => (head === 0 ? 'root' : tokens[head].tag);
    const [found, right] =
      of === 'label'
        ? [tree.labels[d], gold.labels[d]]
        : [tagOfHead(tree.heads[d]), tagOfHead(gold.heads[d])];
    const kind = this.kind(of, found, right);
    kind.tokens.push({ sentence, ...(id === undefined ? {} : { id }), token: d, form: tokens[d].form });
    count(kind, of === 'label' ? arc.label : arc.head);
  }

  report(): KindOfError[] {
    return [...this.kinds.values()]
      .map(({ of, found, gold, tokens, margins, templates }) => ({
        of,
        found,
        gold,
        tokens,
        count: tokens.length,
        margin: mean(margins, tokens.length),
        templates: [...templates]
          .map(([template, { sum, misled }]) => ({ template, difference: sum / tokens.length, misled }))
          .sort((a, b) => b.difference - a.difference),
      }))
      .sort((a, b) => b.count - a.count);
  }

  private kind(of: Growing['of'], found: string, gold: string): Growing {
    const key = [of, found, gold].join('\t');
    const known = this.kinds.get(key);
    if (known !== undefined) return known;
    const kind = { of, found, gold, tokens: [], margins: [], templates: new Map() };
    this.kinds.set(key, kind);
    return kind;
  }
}

/** Adds each template's contribution to the wrong answer minus that to the right one. */
function count({ margins, templates }: Growing, { alternatives, against, margin }: Decision): void {
  // The parser cannot decide against labels that it does not know.
  if (against !== 'gold' || margin === null) return;
  margins.push(margin);
  const own = new Map<string, number>();
  alternatives.forEach(({ contributions }, i) => {
    for (const { template, weight } of contributions)
      own.set(template, (own.get(template) ?? 0) + (i === 0 ? weight : -weight));
  });
  for (const [template, difference] of own) {
    const { sum, misled } = templates.get(template) ?? { sum: 0, misled: 0 };
    templates.set(template, { sum: sum + difference, misled: misled + (difference > 0 ? 1 : 0) });
  }
}

const mean = (numbers: readonly number[], count: number): number =>
  numbers.reduce((sum, number) => sum + number, 0) / count;
