import fc from 'fast-check';

/** One change to a file's lines: its kind, line and column, and a value that it may insert. */
export const lineChange = fc.record({
  what: fc.constantFrom(...(['cut', 'drop', 'repeat', 'swap', 'cell', 'blank', 'space', 'giant'] as const)),
  line: fc.nat(),
  column: fc.nat(9),
  value: fc.constantFrom(
    '',
    '_',
    '0',
    '1',
    '-1',
    '7',
    '3-4',
    '1.1',
    '9'.repeat(30),
    'x',
    '\ufeff',
    ' ',
    '\r',
    '\0',
    '(',
    '#',
  ),
});
export type LineChange = typeof lineChange extends fc.Arbitrary<infer T> ? T : never;

/** The lines after all changes were made, in order. */
export function changedLines(lines: readonly string[], changes: readonly LineChange[]): string[] {
  const result = [...lines];
  for (const { what, line, column, value } of changes) {
    const at = line % result.length;
    const cells = result[at]!.split('\t');
    const withCell = (cell: string) => cells.map((old, i) => (i === column ? cell : old)).join('\t');
    if (what === 'cut') result.splice(at, 1, result[at]!.slice(0, column));
    else if (what === 'drop') result.splice(at, 1, cells.filter((_, i) => i !== column).join('\t'));
    else if (what === 'repeat') result.splice(at, 0, result[at]!);
    else if (what === 'swap') result.splice(at, 2, ...result.slice(at, at + 2).reverse());
    else if (what === 'cell') result.splice(at, 1, withCell(value));
    else if (what === 'blank') result.splice(at, 1, '');
    else if (what === 'space') result.splice(at, 1, result[at]!.replaceAll('\t', ' '));
    else result.splice(at, 1, withCell('x'.repeat(1 << 20)));
  }
  return result;
}

/** Bytes that are not valid text in UTF-8, and the place of a file to insert them at; sometimes none. */
export const brokenBytes = fc.option(
  fc.record({ at: fc.nat(), bytes: fc.constantFrom('c3', 'ff', 'eda080', '00', 'e282') }),
  { nil: undefined },
);
export type BrokenBytes = typeof brokenBytes extends fc.Arbitrary<infer T> ? T : never;

/** The file with these bytes inserted. */
export function withBroken(whole: Buffer, broken: BrokenBytes): Buffer {
  if (broken === undefined) return whole;
  const at = broken.at % (whole.length + 1);
  return Buffer.concat([whole.subarray(0, at), Buffer.from(broken.bytes, 'hex'), whole.subarray(at)]);
}

/**
 * Two sentences that need every rule of the format: with a multiword token, an empty node, comments and a form with
 * a space.
 */
export const smallTreebank: readonly string[] = [
  '# sent_id = 1',
  '1-2	Dámelo	_	_	_	_	_	_	_	_',
  '1	Da	dar	VERB	V	Mood=Imp	0	root	0:root	_',
  '2	melo	él	PRON	P	_	1	obj	1:obj	_',
  '2.1	ya	ya	ADV	R	_	_	_	1:advmod	_',
  '',
  '# sent_id = 2',
  '1	Trả lời	_	VERB	V	_	3	nsubj	_	_',
  '2	và	_	CCONJ	C	_	1	cc	_	_',
  '3	hỏi	_	VERB	V	_	0	root	_	SpaceAfter=No',
  '',
  '',
];
