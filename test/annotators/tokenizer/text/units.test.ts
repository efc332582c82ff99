import { expect, test } from 'vitest';
import { Address, PAD, Units } from '../../../../annotators/tokenizer/text/units.ts';

const units = new Units();

/** The chunks of a text, each with its kind of address. */
function chunksOf(text: string): [string, number][] {
  units.read(text);
  let start = PAD;
  return text.split(' ').map((chunk) => {
    const kinds = new Set(units.addresses.subarray(start, start + chunk.length));
    expect(kinds.size).toBe(1);
    start += chunk.length + 1;
    return [chunk, [...kinds][0]!];
  });
}

test('web and mail addresses are distinguished from other text between blanks', () => {
  const { none, page, mail } = Address;
  const chunks: [string, number][] = [
    ['see', none],
    ['http://a.b/c?d=e@f', page],
    ['or', none],
    ['(x.y@z.org)', mail],
    ['5', none],
    ['@', none],
    ['@home', none],
    ['me@', none],
    ['a:/b', none],
    ['now', none],
  ];
  const text = chunks.map(([chunk]) => chunk).join(' ');
  expect(chunksOf(text)).toEqual(chunks);
  // Nothing remains of the addresses of the text before.
  expect(chunksOf('nothing but words in this text').every(([, address]) => address === none)).toBe(true);
});
