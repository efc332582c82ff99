import { UsageError } from '../../errors.ts';
import type { StringColumn } from '../columns/names.ts';
import type { DependencyTree, Sentence } from '../sentence.ts';
import { columnsOfProperty, isVerdict, propertyNamed } from './conditions.ts';
import { Plan } from './plan.ts';
import { type Clauses, parseQuery, type QuerySyntax } from './syntax.ts';

/** One occurrence of a query's pattern. */
export interface Match {
  /** The token of each named node. */
  readonly nodes: Readonly<Record<string, number>>;
}

/**
 * A compiled query that finds structures in dependency trees. docs/finding.md describes the notation.
 *
 *     const query = new Query('V [upos=VERB] -[nsubj]-> S; S << V');
 *     const subjects = query.matches(sentence).map(({ nodes }) => sentence.forms[nodes.S]);
 */
export class Query {
  private readonly syntax: QuerySyntax;
  private readonly plan: Plan;

  /**
   * @param parsers names of the trees given to `eachMatch`, for conditions such as `only-right=graph`
   * @throws UsageError for an invalid query, with the place of the mistake
   */
  constructor(
    readonly text: string,
    parsers: readonly string[] = [],
  ) {
    this.syntax = parseQuery(text);
    this.plan = new Plan(this.syntax, parsers);
  }

  /** Names of the pattern's nodes in the order of their appearance. */
  get names(): readonly string[] {
    const { names, nodes } = this.syntax;
    return names.slice(0, nodes).filter((name) => name !== undefined);
  }

  /** The clauses of the pattern and of all blocks. */
  private get clauses(): Clauses[] {
    const { pattern, blocks } = this.syntax;
    return [pattern, ...blocks.map(({ clauses }) => clauses)];
  }

  /** Whether it has conditions on parsers' trees. */
  get comparesParsers(): boolean {
    return this.clauses.some(({ conditions }) => conditions.some(({ name }) => isVerdict(name)));
  }

  /** The columns that the query and the keys to group by read, besides forms, heads and labels of arcs. */
  columns(keys: readonly string[]): Set<StringColumn> {
    const names = this.clauses.flatMap(({ conditions, relations }) => [
      ...conditions.map(({ name }) => name),
      ...relations.flatMap((each) => (each.kind === 'equal' ? [each.leftName, each.rightName] : [])),
    ]);
    const grouped = keys.map((key) => key.slice(key.indexOf('.') + 1));
    return new Set([...names, ...grouped].flatMap(columnsOfProperty));
  }

  matches(sentence: Sentence): Match[] {
    const found: Match[] = [];
    this.eachMatch(sentence, (tokens) => {
      found.push({ nodes: this.named(tokens) });
    });
    return found;
  }

  count(sentence: Sentence): number {
    let count = 0;
    this.eachMatch(sentence, () => {
      count++;
    });
    return count;
  }

  /** Calls `onMatch` with the token of each node for every match; the array is reused. No two nodes share a token. */
  eachMatch(
    sentence: Sentence,
    onMatch: (tokens: Int32Array) => void,
    trees: readonly DependencyTree[] = [],
  ) {
    this.plan.search({ sentence, trees }, onMatch);
  }

  /** Maps the names of nodes to the tokens of a match. */
  named(tokens: Int32Array): Record<string, number> {
    const { names, nodes } = this.syntax;
    const named: Record<string, number> = {};
    for (let node = 0; node < nodes; node++) {
      const name = names[node];
      if (name !== undefined) named[name] = tokens[node];
    }
    return named;
  }

  /**
   * Makes the function that gives the group of a match by a key such as `V.lemma` or `e.label`; `_` is no value.
   * Throws `UsageError` for an unknown node.
   */
  grouping(key: string): (sentence: Sentence, tokens: Int32Array) => string {
    const [, name = '', property = ''] = /^(.*?)\.(.+)$/.exec(key) ?? [];
    const { names, nodes, arcs } = this.syntax;
    const position = names.slice(0, nodes).indexOf(name);
    const node = position < 0 ? arcs.get(name) : position;
    if (node === undefined || property === '')
      throw new UsageError(
        `query: cannot group by ${key}, expected a property of ${this.names.join(', ')}, such as ${this.names[0] ?? 'V'}.upos`,
      );
    const read = propertyNamed(property);
    return (sentence, tokens) => read(sentence, tokens[node]) ?? '_';
  }
}
