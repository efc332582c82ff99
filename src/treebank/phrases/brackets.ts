import { checkFields } from '../../checks.ts';
import { InputError } from '../../errors.ts';
import { BYTE_ORDER_MARK, countLines } from '../../files/encoding.ts';
import { quote } from '../../visible.ts';
import type { TextBatch } from '../sentence.ts';
import type { BracketedSentence, PhraseTree } from './phrase-tree.ts';

// Penn Treebank brackets (Bies et al. 1995); words stay as written (`-LRB-`, `\/`). Lines of comments
// (`# tree = 2 of 5`) may stand between trees. Nothing recurses: trees may be deep.

const OPEN = 0x28;
const CLOSE = 0x29;
const NUMBER_SIGN = 0x23;
const NEWLINE = 0x0a;
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);
/** An unclosed bracket; its label is undefined until a word or an inner bracket follows. */
type OpenBracket = { label: string | undefined; form: string | undefined; readonly children: PhraseTree[] };

/**
 * Parses the trees of a text. The `source.text` of a tree begins with the comments before it and ends where the next one's
 * begins; `source.line` is the line of its first bracket.
 *
 * @param place the file's name for messages, and the number of the text's first line
 * @throws InputError at the first malformed tree
 */
export function* parseBrackets(
  text: string,
  place: { readonly file: string; readonly line: number } = { file: 'text', line: 1 },
): Generator<BracketedSentence> {
  const reader = new BracketReader(text, place.file, place.line);
  let begin = 0;
  let more = reader.findTree();
  while (more) {
    const line = reader.line;
    const tree = reader.readTree();
    more = reader.findTree();
    yield { tree, source: { file: place.file, line, text: text.slice(begin, reader.begin) } };
    begin = reader.begin;
  }
}

class BracketReader {
  position = 0;
  /** Where the comments before the tree begin. */
  begin = 0;

  constructor(
    private readonly text: string,
    private readonly file: string,
    public line: number,
  ) {}

  findTree(): boolean {
    if (this.position === 0 && this.text.charCodeAt(0) === BYTE_ORDER_MARK) this.position = 1;
    this.skipSpace();
    this.begin = this.position;
    this.skipComments();
    if (this.position === this.text.length) {
      this.begin = this.position;
      return false;
    }
    const code = this.text.charCodeAt(this.position);
    if (code === CLOSE) throw this.error('“)” closes nothing, expected “(” or the end of the file');
    if (code === OPEN) return true;
    throw this.error(`text outside brackets: ${quote(this.readWord())}, expected “(”`);
  }

  readTree(): PhraseTree {
    const open: OpenBracket[] = [];
    const firstLine = this.line;
    for (;;) {
      this.skipSpace();
      if (this.position === this.text.length) {
        const count = open.length === 1 ? 'one “)” is' : `${open.length} “)” are`;
        throw this.error(`tree without an end: ${count} missing`, firstLine);
      }
      const code = this.text.charCodeAt(this.position);
      if (code === OPEN) {
        this.prepareForBracket(open);
        open.push({ label: undefined, form: undefined, children: [] });
        this.position++;
      } else if (code === CLOSE) {
        const { label, form, children } = open.pop()!;
        if (label === undefined || (form === undefined && children.length === 0))
          throw this.error(`empty bracket: ${quote(`(${label ?? ''})`)}, expected a word or phrases in it`);
        const tree = { label, children, form };
        this.position++;
        if (open.length === 0) return tree;
        open.at(-1)!.children.push(tree);
      } else {
        this.addWord(open.at(-1)!);
      }
    }
  }

  /** Only the outermost bracket may have no label. */
  private prepareForBracket(open: readonly OpenBracket[]): void {
    const parent = open.at(-1);
    if (parent === undefined) return;
    if (parent.form !== undefined) throw this.mixed(parent.form);
    if (parent.label === undefined && open.length > 1)
      throw this.error('bracket without a label, expected one after each but the outermost bracket');
    parent.label ??= '';
  }

  private addWord(parent: OpenBracket): void {
    const word = this.readWord();
    if (parent.label === undefined) {
      parent.label = word;
    } else if (parent.children.length > 0) {
      throw this.mixed(word);
    } else if (parent.form !== undefined) {
      const both = `${quote(parent.form)} and ${quote(word)}`;
      throw this.error(`two words in one bracket: ${both}, expected (tag word)`);
    } else {
      parent.form = word;
    }
  }

  private mixed(word: string): InputError {
    return this.error(`word ${quote(word)} beside a bracket, expected each word in a bracket of its own`);
  }

  private readWord(): string {
    const begin = this.position;
    while (this.position < this.text.length) {
      const code = this.text.charCodeAt(this.position);
      if (code === OPEN || code === CLOSE || isSpace(code)) break;
      this.position++;
    }
    return this.text.slice(begin, this.position);
  }

  private skipSpace(): void {
    while (this.position < this.text.length) {
      const code = this.text.charCodeAt(this.position);
      if (!isSpace(code)) return;
      if (code === NEWLINE) this.line++;
      this.position++;
    }
  }

  private skipComments(): void {
    while (this.text.charCodeAt(this.position) === NUMBER_SIGN) {
      const end = this.text.indexOf('\n', this.position);
      this.position = end < 0 ? this.text.length : end;
      this.skipSpace();
    }
  }

  private error(problem: string, line = this.line): InputError {
    return new InputError(problem, { file: this.file, line });
  }
}

/** Cuts a text that arrives in pieces into trees, without checking them, with one tree in memory at a time. */
export class TreeSplitter {
  private pending = '';
  private depth = 0;
  private began = false;
  private inComment = false;

  /** Adds a piece; returns the texts of the trees after which another one, or its comments, have begun. */
  push(piece: string): string[] {
    const trees: string[] = [];
    let { depth, began, inComment } = this;
    let begin = 0;
    for (let i = 0; i < piece.length; i++) {
      const code = piece.charCodeAt(i);
      if (inComment) {
        inComment = code !== NEWLINE;
      } else if (code === CLOSE) {
        if (depth > 0) depth--;
      } else if (code === OPEN || (code === NUMBER_SIGN && depth === 0)) {
        if (depth === 0 && began) {
          trees.push(this.pending + piece.slice(begin, i));
          this.pending = '';
          begin = i;
        }
        inComment = code === NUMBER_SIGN;
        began = !inComment;
        if (began) depth++;
      }
    }
    this.pending += piece.slice(begin);
    [this.depth, this.began, this.inComment] = [depth, began, inComment];
    return trees;
  }

  /** Gives up on an endless tree: returns the text before the last line that begins with a bracket, if there is one. */
  giveUp(): string[] {
    const cut = this.pending.lastIndexOf('\n(') + 1;
    if (cut === 0) return [];
    const text = this.pending;
    this.pending = '';
    this.depth = 0;
    this.began = false;
    return [text.slice(0, cut), ...this.push(text.slice(cut))];
  }

  end(): string {
    const rest = this.pending;
    this.pending = '';
    return rest;
  }
}

/** Formats a tree on one line or, if `pretty`, with a line per phrase as in the Penn Treebank. No final line break. */
export function formatBrackets(tree: PhraseTree, options: { readonly pretty?: boolean } = {}): string {
  checkFields('formatBrackets', options, ['pretty']);
  const pretty = options.pretty ?? false;
  const parts = [opening(tree)];
  const open = [{ tree, next: 0, words: true }];
  while (open.length > 0) {
    const top = open.at(-1)!;
    const child = top.tree.children[top.next++];
    if (child === undefined) {
      parts.push(')');
      open.pop();
      continue;
    }
    top.words &&= child.form !== undefined;
    const inline = !pretty || top.words || (open.length === 1 && top.tree.label === '');
    parts.push(inline ? ' ' : `\n${'  '.repeat(open.length)}`, opening(child));
    open.push({ tree: child, next: 0, words: true });
  }
  return parts.join('');
}

const opening = ({ label, form }: PhraseTree) => (form === undefined ? `(${label}` : `(${label} ${form}`);
type MalformedTree = { readonly error: InputError; readonly source: BracketedSentence['source'] };
export type TreeOrError = BracketedSentence | MalformedTree;

/** Reads the trees of a batch; after a malformed one, continues at the next line that begins with a bracket, or its comments. */
export function* readTrees({ file, line: firstLine, text }: TextBatch): Generator<TreeOrError> {
  let line = firstLine;
  const splitter = new TreeSplitter();
  for (const single of [...splitter.push(text), splitter.end()]) {
    const found = read({ file, line, text: single });
    if (found.some(isMalformed)) yield* linesWithTrees({ file, line, text: single });
    else yield* found;
    line += countLines(single, single.length);
  }
}

export const isMalformed = (tree: TreeOrError): tree is MalformedTree => 'error' in tree;

function* linesWithTrees({ file, line: firstLine, text }: TextBatch): Generator<TreeOrError> {
  let line = firstLine;
  for (const piece of text.split(/(?<=(?:^|\n)(?!#)[^\n]*\n)(?=(?:#[^\n]*\n)*\()/)) {
    yield* read({ file, line, text: piece });
    line += countLines(piece, piece.length);
  }
}

function read(source: TextBatch): TreeOrError[] {
  try {
    return [...parseBrackets(source.text, source)];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [{ error, source }];
  }
}
