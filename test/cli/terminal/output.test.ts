import { describe, expect, it, onTestFinished } from 'vitest';
import { count, duration, fileSize, plural, terminalColumns } from '../../../cli/terminal/output.ts';

describe('figures in messages', () => {
  it.each([
    [0, '0.0 s'],
    [9.94, '9.9 s'],
    [9.96, '10 s'],
    [59.7, '1 min 00 s'],
    [185, '3 min 05 s'],
    [3599.6, '1 h 00 min'],
    [7805, '2 h 10 min'],
  ])('%d seconds are shown as %s', (seconds, text) => expect(duration(seconds)).toBe(text));

  it.each([
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1.0 kB'],
    [33_700_480, '33.7 MB'],
    [24e9, '24.0 GB'],
  ])('%d bytes are shown as %s', (bytes, text) => expect(fileSize(bytes)).toBe(text));

  it('counts have thousands separators, and nouns are plural unless the count is 1', () => {
    expect(count(12345.6)).toBe('12,346');
    expect([plural(0, 'sentence'), plural(1, 'sentence'), plural(1200, 'sentence')]).toEqual([
      '0 sentences',
      '1 sentence',
      '1,200 sentences',
    ]);
  });
});

it('a terminal that reports 0 columns has an unknown width', () => {
  const { columns } = process.stdout;
  onTestFinished(() => {
    process.stdout.columns = columns;
  });
  for (const [reported, width] of [
    [0, undefined],
    [80, 80],
  ] as const) {
    process.stdout.columns = reported;
    expect(terminalColumns()).toBe(width);
  }
});
