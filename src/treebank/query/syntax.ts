import { UsageError } from '../../errors.ts';
import { quote } from '../../visible.ts';

/** A value in a condition: an exact text, or a regular expression. */
export type Value = string | RegExp;
/** A condition on a property: it has one of `values`, or, without `values`, any value; `negated`: it does not. */
export type Condition = { readonly values: readonly Value[] | undefined; readonly negated: boolean };

/** A condition on a node: `Number=Sing|Dual`, `Number<>Plur`, `Number`, `!Number`. */
export interface NodeCondition extends Condition {
  readonly node: number;
  readonly name: string;
}

/** A relation between two nodes, given by number; in an arc, an undefined `head` is any token or the root. */
export type Relation =
  | {
      readonly kind: 'arc';
      readonly head?: number | undefined;
      readonly right: number;
      readonly label?: Condition | undefined;
    }
  | { readonly kind: 'dominates' | 'precedes' | 'next'; readonly left: number; readonly right: number }
  | ({ readonly kind: 'equal'; readonly negated: boolean } & Readonly<Record<'left' | 'right', number>> &
      Readonly<Record<'leftName' | 'rightName', string>>);

export type Clauses = { readonly conditions: NodeCondition[]; readonly relations: Relation[] };

/** A parsed query. Nodes are numbered in the order of their appearance, nodes of `without` and `with` blocks last. */
export interface QuerySyntax {
  readonly pattern: Clauses;
  /** Number of nodes in the pattern. */
  readonly nodes: number;
  /** Names of all nodes; undefined for nodes without one. */
  readonly names: readonly (string | undefined)[];
  /** The dependent of each named arc. */
  readonly arcs: ReadonlyMap<string, number>;
  readonly blocks: readonly Block[];
}

/** A `without` (negated) or `with` block; the nodes that it introduces are `first` … `end` − 1. */
export interface Block {
  readonly negated: boolean;
  readonly clauses: Clauses;
  readonly first: number;
  readonly end: number;
}

const NAME = /[\p{L}_][\p{L}\p{N}_$#]*/uy;
const PROPERTY = /[\p{L}_][\p{L}\p{N}_-]*(?:\[[\p{L}\p{N}_]+\])?/uy;
const BARE = /[\p{L}\p{N}_$.+~'*:@%-]+/uy;
const BLOCK = /(pattern|request|match|without|with)\s*\{/y;
const ENDING = /(?:without|with)\s*\{/y;
const RELATION = /->>|->|-\[|<<|>>|<(?!>)|>/y;

/**
 * Parses a query. The notation of grew-match is understood, too: `pattern { V [upos=VERB]; V -[nsubj]-> S;
 * S << V } without { V -[obj]-> O }`.
 *
 * @throws UsageError that quotes the place of the mistake
 */
export const parseQuery = (text: string): QuerySyntax => new QueryParser(text).read();

const usedTwice = (name: string) => new UsageError(`query: two nodes or arcs are called ${name}`);

type Comparison = { readonly negated: boolean } & Readonly<
  Record<'left' | 'leftName' | 'right' | 'rightName', string>
>;

class QueryParser {
  private at = 0;
  private readonly names: (string | undefined)[] = [];
  private numbers = new Map<string, number>();
  private arcs = new Map<string, number>();
  /** Comparisons of the clauses being read: a name in them may be that of a later arc. */
  private compared: Comparison[] = [];

  constructor(private readonly text: string) {}

  read(): QuerySyntax {
    const pattern: Clauses = { conditions: [], relations: [] };
    const blocks: Block[] = [];
    let nodes = 0;
    while (!this.isAtEnd()) {
      const [keyword] = this.take(BLOCK)?.slice(1) ?? [];
      if (keyword !== 'without' && keyword !== 'with') {
        if (blocks.length > 0) throw this.expected('the pattern before without and with');
        this.clauses(pattern, keyword !== undefined);
        nodes = this.names.length;
        continue;
      }
      if (nodes === 0) throw this.expected('a pattern before without and with');
      const clauses: Clauses = { conditions: [], relations: [] };
      const { numbers, arcs } = this;
      [this.numbers, this.arcs] = [new Map(numbers), new Map(arcs)];
      const first = this.names.length;
      this.clauses(clauses, true);
      blocks.push({ negated: keyword === 'without', clauses, first, end: this.names.length });
      // The names in a block are not known in the next.
      [this.numbers, this.arcs] = [numbers, arcs];
    }
    if (nodes === 0) throw this.expected('a node, such as V [upos=VERB]');
    return { pattern, nodes, names: this.names, arcs: this.arcs, blocks };
  }

  /** Parses clauses separated by `;`, up to `}` or, in a pattern without braces, to `without`, `with` or the end. */
  private clauses(clauses: Clauses, braces: boolean): void {
    for (;;) {
      while (this.takes(';'));
      if (braces ? this.takes('}') : this.isAtEnd() || this.sees(ENDING)) break;
      if (this.isAtEnd()) throw this.expected('“}”');
      this.clause(clauses);
      if (!this.sees(/[;}]/y) && !(this.isAtEnd() || this.sees(ENDING)))
        throw this.expected('“;” or a relation such as ->, -[nsubj]->, ->>, <, <<');
    }
    for (const { left, right, ...rest } of this.compared) {
      const [own, other] = [left, right].map((name) => this.arcs.get(name) ?? this.nodeNamed(name));
      clauses.relations.push({ kind: 'equal', left: own, right: other, ...rest });
    }
    this.compared = [];
  }

  private clause(clauses: Clauses): void {
    const start = this.at;
    const name = this.take(NAME)?.[0];
    if (name !== undefined && this.takes('.')) {
      this.comparison(name);
      return;
    }
    const arc = name !== undefined && this.takes(':') ? name : undefined;
    if (arc === undefined) this.at = start;
    else if (this.arcs.has(arc)) throw usedTwice(arc);
    let left = this.operand(clauses);
    for (let sign = this.take(RELATION)?.[0]; sign; sign = this.take(RELATION)?.[0]) {
      const label = sign === '-[' ? this.label() : undefined;
      const right = this.operand(clauses, true)!;
      clauses.relations.push(this.relation(sign, left, right, label));
      if (arc !== undefined) this.arcs.set(arc, right);
      left = right;
    }
    if (arc !== undefined && this.numbers.has(arc)) throw usedTwice(arc);
  }

  private relation(sign: string, head: number | undefined, right: number, label?: Condition): Relation {
    if (sign === '->' || sign === '-[') return { kind: 'arc', head, right, label };
    const left = head!;
    if (sign === '->>') return { kind: 'dominates', left, right };
    const kind = sign.length === 1 ? 'next' : 'precedes';
    return sign.startsWith('<') ? { kind, left, right } : { kind, left: right, right: left };
  }

  /** `X`, `X [upos=VERB]`, `[upos=VERB]` or `*`; undefined for the `*` of `* ->`, which may be the root. */
  private operand(clauses: Clauses, isDependent = false): number | undefined {
    if (this.takes('*')) return !isDependent && this.sees(/->(?!>)|-\[/y) ? undefined : this.newNode();
    const name = this.take(NAME)?.[0];
    if (name === undefined && !this.sees(/\[/y)) throw this.expected('a node, such as V, [upos=VERB] or *');
    const node = name === undefined ? this.newNode() : this.nodeNamed(name);
    if (!this.takes('[')) return node;
    while (!this.takes(']')) {
      const isAbsent = this.takes('!');
      clauses.conditions.push({ node, name: this.property(), ...this.condition(isAbsent) });
      if (!this.sees(/\]/y) && !this.takes(',')) throw this.expected('“,” or “]”');
    }
    return node;
  }

  private condition(isAbsent: boolean): Condition {
    const operator = isAbsent ? undefined : this.take(/<>|!=|=/y)?.[0];
    if (operator === undefined) return { values: undefined, negated: isAbsent };
    const negated = operator !== '=';
    if (this.take(/\*(?=\s*[,\]])/y)) return { values: undefined, negated };
    return { values: this.values(), negated };
  }

  private values(): Value[] {
    const values = [this.value()];
    while (this.takes('|')) values.push(this.value());
    return values;
  }

  private value(): Value {
    const [, anchored, pattern, flags] =
      this.take(/(?:re"((?:[^"\\]|\\.)*)")|(?:\/((?:[^/\\]|\\.)+)\/(i?))/y) ?? [];
    if (anchored !== undefined) return this.pattern(`^(?:${anchored})$`, '');
    if (pattern !== undefined) return this.pattern(pattern, flags ?? '');
    const [, quoted] = this.take(/"((?:[^"\\]|\\.)*)"/y) ?? [];
    if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
    const bare = this.take(BARE)?.[0];
    if (bare === undefined) throw this.expected('a value, "in quotes" where it is not letters and digits');
    return bare;
  }

  private pattern(source: string, flags: string): RegExp {
    try {
      return new RegExp(source, `${flags}u`);
    } catch (error) {
      throw new UsageError(`query: ${(error as Error).message}`);
    }
  }

  /** The condition of `-[nsubj|obj]->`, `-[^punct]->`, `-[1=obl]->` (grew: with any subtype), `-[/^nsubj/]->`. */
  private label(): Condition {
    const negated = this.takes('^');
    const values = this.sees(/[12]\s*=/y) ? [this.partsOfLabel()] : this.values();
    if (this.take(/\]->/y) === null) throw this.expected(']->');
    return { values, negated };
  }

  /** `1=obl`, `2=tmod`, or both, `1=obl, 2=tmod`. */
  private partsOfLabel(): RegExp {
    const parts = new Map<string, string>();
    do {
      const [, part] = this.take(/([12])\s*=/y) ?? [];
      if (part === undefined) throw this.expected('1= or 2=');
      if (parts.has(part)) throw this.expected(`${part}= once; alternatives are joined by |`);
      const values = this.values().map((value) => this.literal(value));
      parts.set(part, `(?:${values.join('|')})`);
    } while (this.takes(','));
    const [first = '[^:]*', second] = ['1', '2'].map((part) => parts.get(part));
    return new RegExp(second === undefined ? `^${first}(?::|$)` : `^${first}:${second}$`, 'u');
  }

  private literal(value: Value): string {
    if (typeof value !== 'string') throw this.expected('a label after 1= or 2=');
    return value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  }

  /** Parses `.lemma = Y.lemma` or `.lemma <> Y.lemma` after the name of a node or an arc. */
  private comparison(left: string): void {
    const leftName = this.property();
    const operator = this.take(/<>|!=|=/y)?.[0];
    const right = operator && this.take(NAME)?.[0];
    if (!right || !this.takes('.')) throw this.expected('= or <> and a property of a node');
    this.compared.push({ left, leftName, right, rightName: this.property(), negated: operator !== '=' });
  }

  private property(): string {
    const name = this.take(PROPERTY)?.[0];
    if (name === undefined) throw this.expected('a property, such as upos=VERB');
    return name.replace(/__(\w+)$/, '[$1]');
  }

  private nodeNamed(name: string): number {
    if (this.arcs.has(name)) throw usedTwice(name);
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    this.numbers.set(name, this.names.length);
    return this.newNode(name);
  }

  private newNode(name?: string): number {
    this.names.push(name);
    return this.names.length - 1;
  }

  private isAtEnd(): boolean {
    return this.sees(/$/y);
  }

  private takes(character: string): boolean {
    this.skipSpaces();
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    this.skipSpaces();
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match !== null) this.at += match[0].length;
    return match;
  }

  private sees(pattern: RegExp): boolean {
    const start = this.at;
    const found = this.take(pattern) !== null;
    this.at = start;
    return found;
  }

  /** Skips white space, and comments from `%` to the end of the line, as in grew. */
  private skipSpaces(): void {
    const spaces = /(?:\s|%[^\n]*)*/y;
    spaces.lastIndex = this.at;
    this.at += spaces.exec(this.text)![0].length;
  }

  private expected(what: string): UsageError {
    this.skipSpaces();
    const rest = this.text.slice(this.at);
    return new UsageError(`query: expected ${what}${rest === '' ? ' at its end' : `, found ${quote(rest)}`}`);
  }
}
