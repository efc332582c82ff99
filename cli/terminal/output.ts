import { styleText } from 'node:util';
import type { InputError } from '../../src/errors.ts';
import { count, plural } from '../../src/report/tables/table.ts';
import { visible, visibleJson, visibleLines } from '../../src/visible.ts';

export { count, plural };

type Style = 'bold' | 'dim' | 'red' | 'cyan' | 'yellow';

interface StyledText {
  readonly style: Style;
  readonly text: string;
}

/** A piece of output. Control characters in it are escaped, so that data cannot control a terminal. */
export type Piece = string | StyledText;

export function styled(style: Style, text: string): StyledText {
  return { style, text };
}

/** The width of the terminal; undefined where it is unknown: some pseudo-terminals report 0. */
export const terminalColumns = (): number | undefined => process.stdout.columns || undefined;

export function print(...pieces: readonly Piece[]): void {
  write(process.stdout, [...pieces, '\n']);
}

/** Prints a result with its own line ends on stdout. */
export function printText(...pieces: readonly Piece[]): void {
  write(process.stdout, pieces);
}

/** @param output where the results go: if to standard output (`-`), the JSON goes to stderr */
export function printJson(value: unknown, output?: string): void {
  clearProgress();
  const stream = output === '-' ? process.stderr : process.stdout;
  stream.write(`${visibleJson(JSON.stringify(value, null, 2))}\n`);
}

export function log(line: string): void {
  write(process.stderr, [visible(line), '\n']);
}

export function note(text: string): void {
  printMessage(text, styled('cyan', 'note:'));
}

/** Names what an output cannot hold. */
export function noteLost(lost: ReadonlySet<string>, format: string, output: string): void {
  if (lost.size > 0) note(`${output}: left out, as ${format} has no place for it: ${[...lost].join(', ')}`);
}

/** Prints a warning on stderr, even with `--quiet`. */
export function warn(text: string): void {
  printMessage(text, styled('yellow', 'warning:'));
}

export function printError(text: string): void {
  printMessage(text, styled('red', 'error:'));
}

/** Prints `parliament: label text` on stderr. */
export function printMessage(text: string, label?: StyledText): void {
  write(process.stderr, ['parliament: ', ...(label === undefined ? [] : [label, ' ']), visible(text), '\n']);
}

/** Hides the progress that is shown on stderr; undefined if there is none. */
let hide: (() => void) | undefined;

/** Calls `hideProgress` before anything is printed, other progress is shown, or the process ends. */
export function hideBeforeOutput(hideProgress: () => void): void {
  clearProgress();
  hide = hideProgress;
  process.on('exit', clearProgress);
}

export function clearProgress(): void {
  process.off('exit', clearProgress);
  hide?.();
  hide = undefined;
}

function write(stream: NodeJS.WriteStream, pieces: readonly Piece[]): void {
  clearProgress();
  const hasStyles = wantsStyles(stream);
  const shown = (piece: Piece) => {
    if (typeof piece === 'string') return visibleLines(piece);
    const text = visibleLines(piece.text);
    // Node's own check looks at stdout only.
    return hasStyles ? styleText(piece.style, text, { validateStream: false }) : text;
  };
  stream.write(pieces.map(shown).join(''));
}

/** Whether a stream is a terminal that takes styles (https://no-color.org). */
function wantsStyles(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, TERM } = process.env;
  return Boolean(stream.isTTY) && !NO_COLOR && TERM !== 'dumb';
}

/** Bytes as a file size: `12.3 MB` (powers of ten). */
export function fileSize(bytes: number): string {
  if (bytes < 1e3) return plural(bytes, 'byte');
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Seconds as a duration: `0.7 s`, `17 s`, `3 min 05 s`, `2 h 10 min`. */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, '0')} s`;
  return `${Math.floor(s / 3600)} h ${String(Math.floor((s % 3600) / 60)).padStart(2, '0')} min`;
}

/** Skipped sentences that are described one by one; the rest are only counted. */
const DESCRIBED = 5;

/** Counts the sentences that `--skip-invalid` skips; each counts once even if its file is read several times. */
export class SkippedSentences {
  private readonly messages = new Set<string>();

  get count(): number {
    return this.messages.size;
  }

  readonly add = (error: InputError): void => {
    if (this.messages.has(error.message)) return;
    this.messages.add(error.message);
    if (this.count <= DESCRIBED) warn(`left out: ${error.message}`);
  };

  summarize(): void {
    if (this.count > 0) warn(`${plural(this.count, 'malformed sentence')} left out`);
  }
}
