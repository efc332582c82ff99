import type { MatrixExplanation } from './matrix.ts';
import type { Decision } from './shared.ts';

/** A token with a wrong head or label. */
export interface WrongToken {
  /** The number of its sentence, from 1. */
  readonly sentence: number;
  readonly id?: string | undefined;
  readonly token: number;
  readonly form: string;
}

/** How a template contributes to a kind of error. */
export interface TemplateReason {
  readonly template: string;
  /** Mean of its contribution to the wrong answer − to the right one; above 0 it favours the wrong answer. */
  readonly difference: number;
  /** Number of errors in which it favours the wrong answer. */
  readonly misled: number;
}

/** Errors with the same predicted and gold tags of the head, or labels. */
export interface KindOfError {
  /** `label`: the head is right. */
  readonly of: 'head' | 'label';
  /** Tags of the heads, or labels. */
  readonly found: string;
  readonly gold: string;
  readonly count: number;
  /** Mean score of the wrong answer − score of the right one. */
  readonly margin: number;
  /** Sorted by how much they favour the wrong answer. */
  readonly templates: readonly TemplateReason[];
  readonly tokens: readonly WrongToken[];
}

interface ErrorSums extends Pick<KindOfError, 'of' | 'found' | 'gold'> {
  readonly tokens: WrongToken[];
  readonly margins: number[];
  readonly templates: Map<string, { sum: number; misled: number }>;
}

/** Sums up which templates are responsible for a parser's errors, by kind of error. */
export class ErrorReasons {
  private readonly kinds = new Map<string, ErrorSums>();

  /** @param explained the explanation of a wrong arc, with the gold tree */
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
        margin: mean(margins),
        templates: [...templates]
          .map(([template, { sum, misled }]) => ({ template, difference: sum / margins.length, misled }))
          .sort((a, b) => b.difference - a.difference),
      }))
      .sort((a, b) => b.count - a.count);
  }

  private kind(of: ErrorSums['of'], found: string, gold: string): ErrorSums {
    const key = [of, found, gold].join('\t');
    const none = { of, found, gold, tokens: [], margins: [], templates: new Map() };
    return this.kinds.get(key) ?? this.kinds.set(key, none).get(key)!;
  }
}

/** Adds each template's contribution to the wrong answer − its contribution to the right one. */
function count({ margins, templates }: ErrorSums, { alternatives, against, margin }: Decision): void {
  // Gold labels that are unknown to the parser have no score to compare with.
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

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
