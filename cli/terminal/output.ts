import pc from 'picocolors';

type Colours = ReturnType<typeof pc.createColors>;

/** Colours for what is written to this stream: none unless it is a terminal that wants them. */
export function coloursFor(stream: NodeJS.WriteStream): Colours {
  const { NO_COLOR, TERM } = process.env;
  return pc.createColors(Boolean(stream.isTTY) && !NO_COLOR && TERM !== 'dumb');
}

/** A result, on stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Figures for programs, on stdout. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Something the user should know although all is well, on stderr. */
export function note(text: string): void {
  process.stderr.write(`parliament: ${coloursFor(process.stderr).cyan('note:')} ${text}\n`);
}

/** Something that is probably not as the user meant it, on stderr; said even with `--quiet`. */
export function warn(text: string): void {
  process.stderr.write(`parliament: ${coloursFor(process.stderr).yellow('warning:')} ${text}\n`);
}

/** 12345.6 → `12,346`. */
export function count(n: number): string {
  return Math.round(n).toLocaleString('en-US');
}

/** `1 sentence`, `2 sentences`. */
export function plural(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? '' : 's'}`;
}

/** Bytes as a file size: `12.3 MB` (powers of ten). */
export function fileSize(bytes: number): string {
  if (bytes < 1e3) return plural(bytes, 'byte');
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Seconds as a duration: `0.7 s`, `17 s`, `3 min 05 s`, `2 h 10 min`. */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, '0')} s`;
  return `${Math.floor(s / 3600)} h ${String(Math.floor((s % 3600) / 60)).padStart(2, '0')} min`;
}
