import type { EncodedColumn } from '../../../src/encoding/columns.ts';
import { columnsOfValue } from '../../../src/encoding/templates/column-values.ts';
import {
  canonical,
  listed,
  type Meanings,
  Notation,
  type TemplateField,
} from '../../../src/encoding/templates/notation.ts';
import type { TemplateSection } from '../../../src/encoding/templates/template-file.ts';
import { UsageError } from '../../../src/errors.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import type { Field, Pattern } from './pattern.ts';

/** Which columns there are, and which of them tell words apart. */
export interface PatternColumns {
  readonly names: readonly EncodedColumn[];
  readonly tags: readonly TagColumn[];
  isFilled(column: EncodedColumn): boolean;
}

/** A template taken apart: its fields, the part of the arc that it tells of, and what it is backed off to. */
interface Written<P extends string> {
  readonly fields: readonly TemplateField[];
  readonly part: P;
  readonly backoff: string | undefined;
}

/**
 * Patterns are written as templates of head and dependent, with one word at most for what else of the arc is
 * told, and after `<` the coarser template that an estimate rests on where counts are small:
 * `hp dp distance < hp dp`. A pattern holds all that its backoff holds, so that it determines it.
 */
export class PatternNotation<P extends string> implements TemplateSection {
  private readonly notation: Notation;

  /** @param words the parts of an arc that can be told besides its direction, which always is */
  constructor(private readonly words: Meanings) {
    this.notation = new Notation({
      nodes: { h: 'the head of the arc', d: 'its dependent' },
      columns: ['f', 'l', 'm', 'p', 'x'],
      words,
    });
  }

  get legend(): string[] {
    return this.notation.legend({
      '<': 'before the template, one of those above, that estimates rest on where counts are small',
    });
  }

  check(template: string, earlier: readonly string[]): void {
    const { fields, part, backoff } = this.read(template);
    if (backoff === undefined) return;
    if (!earlier.map(finer).includes(backoff)) {
      throw new UsageError(`template “${template}”: “${backoff}” is no template above it`);
    }
    const coarser = this.read(backoff);
    const content = fields.map(asText);
    const isCoarser = coarser.fields.map(asText).every((field) => content.includes(field));
    if (!isCoarser || ![part, 'direction'].includes(coarser.part)) {
      throw new UsageError(
        `template “${template}”: “${backoff}” tells something that it does not tell itself`,
      );
    }
  }

  /**
   * The patterns of templates over the columns at hand. Where a column has nothing to tell, its fields fall
   * away (those of lemmas become forms), and so do patterns that then are the same as another.
   */
  patterns(templates: readonly string[], columns: PatternColumns): Pattern<P>[] {
    const patterns: Pattern<P>[] = [];
    const places = new Map<string, number>();
    for (const template of templates) {
      const { fields: written, part, backoff } = this.read(template);
      const name = finer(template);
      const fields = written.flatMap((field) => fieldOver(columns, field));
      const content = JSON.stringify([fields, part]);
      const known = places.get(content);
      places.set(name, known ?? patterns.length);
      if (known !== undefined) continue;
      places.set(content, patterns.length);
      patterns.push({ name, fields, part, backoff: backoff === undefined ? -1 : places.get(backoff)! });
    }
    return patterns;
  }

  private read(template: string): Written<P> {
    const [finerPart, backoff] = template.split(/<(.*)/s);
    const all = this.notation.read(finerPart);
    const parts = all.filter(({ node }) => node === '');
    if (parts.length > 1) {
      throw new UsageError(`template “${template}”: more than one of ${listed(Object.keys(this.words))}`);
    }
    return {
      fields: all.filter(({ node }) => node !== ''),
      part: (parts[0]?.value ?? 'direction') as P,
      backoff: backoff === undefined ? undefined : canonical(backoff),
    };
  }
}

/** A template without its backoff. */
function finer(template: string): string {
  return canonical(template.replace(/<.*/s, ''));
}

function asText({ node, value, offset }: TemplateField): string {
  return `${node}${value}${offset}`;
}

/** The field over the columns at hand; none where they have nothing to tell. */
function fieldOver(
  { names, tags, isFilled }: PatternColumns,
  { node, value, offset }: TemplateField,
): Field[] {
  const [named] = columnsOfValue(value, tags, tags[0]);
  const column = named === 'lemma' && !isFilled(named) ? 'form' : named;
  if (column === undefined || (column === 'feats' && !isFilled(column))) return [];
  return [{ of: node === 'h' ? 'head' : 'dependent', column: names.indexOf(column), offset }];
}
