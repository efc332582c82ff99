/** How a program lays JSON out, like the arguments of Python's `json.dumps`. */
interface JsonStyle {
  /** Indentation per level; empty: everything on one line. */
  readonly indent: string;
  readonly comma: string;
  readonly colon: string;
  /** Whether characters other than ASCII are escaped. */
  readonly isAscii: boolean;
  readonly before: string;
  readonly after: string;
}

/** Marks numbers that keep their spelling, such as `1.0` and `1e-05`. */
const RAW = '\0';

/** A value read from JSON that can be written in the same layout. */
export class StyledJson {
  private constructor(
    readonly value: unknown,
    private readonly style: JsonStyle,
  ) {}

  /** Parses JSON, undefined if it is invalid; whether non-ASCII characters are escaped is judged from the whole `file`. */
  static parse(text: string, file = text): StyledJson | undefined {
    const [before] = /^\s*/.exec(text)!;
    const after = text.slice(text.trimEnd().length);
    const own = text.slice(before.length, Math.max(before.length, text.length - after.length));
    const structure = own.replace(/"(?:[^"\\]|\\.)*"/g, '""');
    const [, indent = ''] = /^[[{]\r?\n([ \t]+)/.exec(structure) ?? [];
    const [comma = ', '] = /, ?/.exec(structure) ?? [];
    const [colon = ': '] = /: ?/.exec(structure) ?? [];
    const isAscii = !/[^\0-\x7f]/.test(file);
    const marked = own.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (one) =>
      one.startsWith('"') || String(Number(one)) === one ? one : `"\\u0000${one}"`,
    );
    try {
      // Marked numbers must be valid, too: `01` is not.
      JSON.parse(own);
      return new StyledJson(JSON.parse(marked), { indent, comma, colon, isAscii, before, after });
    } catch {
      return undefined;
    }
  }

  toString(): string {
    const { before, after } = this.style;
    return before + this.written(this.value, '\n') + after;
  }

  private written(value: unknown, margin: string): string {
    const { indent, comma, colon } = this.style;
    if (typeof value === 'string') return this.quoted(value);
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const inner = margin + indent;
    const items = Array.isArray(value)
      ? value.map((one) => this.written(one, inner))
      : Object.entries(value).map(([name, one]) => this.quoted(name) + colon + this.written(one, inner));
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    if (items.length === 0 || indent === '') return open! + items.join(comma) + close!;
    return open! + inner + items.join(`,${inner}`) + margin + close!;
  }

  private quoted(text: string): string {
    if (text.startsWith(RAW)) return text.slice(1);
    const quoted = JSON.stringify(text);
    if (!this.style.isAscii) return quoted;
    return quoted.replace(
      /[\x7f-\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  }
}
