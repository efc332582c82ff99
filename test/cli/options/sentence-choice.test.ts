import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import { chosenSentences, numberRanges } from '../../../cli/options/sentence-choice.ts';
import { InputError } from '../../../src/errors.ts';
import { sentence } from '../../support/sentences.ts';

const end = Number.POSITIVE_INFINITY;

test.each([
  ['3', [{ from: 3, to: 3 }]],
  [
    '2,5-7',
    [
      { from: 2, to: 2 },
      { from: 5, to: 7 },
    ],
  ],
  ['8-', [{ from: 8, to: end }]],
  [
    ' 1 , 2 - 3 ',
    [
      { from: 1, to: 1 },
      { from: 2, to: 3 },
    ],
  ],
])('%j is read as a list of sentence numbers and ranges', (text, ranges) => {
  expect(numberRanges(text)).toEqual(ranges);
});

test.each(['', '0', '-2', '3-2', '1,,2', 'x', '1.5', '1 2', '0-'])(
  '%j is refused as a list of sentence numbers',
  (text) => {
    expect(() => numberRanges(text)).toThrow(InvalidArgumentError);
  },
);

describe('chosen sentences', () => {
  let read = 0;
  let notices: string[] = [];
  async function* five() {
    for (read = 1; read <= 5; read++) yield { ...sentence('x', '0'), id: `s-${read === 5 ? 2 : read}` };
  }
  const choose = async (wanted: Parameters<typeof chosenSentences>[1]) => {
    const numbers: number[] = [];
    notices = [];
    const onNotice = (notice: string) => notices.push(notice);
    const options = { file: 'f', sentenceOf: (item: ReturnType<typeof sentence>) => item, onNotice };
    for await (const { number } of chosenSentences(five(), wanted, options)) numbers.push(number);
    return numbers;
  };

  test('appear once each, in the order of the file, whatever the order of the numbers', async () => {
    expect(await choose({ ranges: numberRanges('4,1-2,2') })).toEqual([1, 2, 4]);
    expect(await choose({ ranges: numberRanges('4-') })).toEqual([4, 5]);
    expect(await choose({ id: 's-3' })).toEqual([3]);
  });

  test('end the reading of the file after the last of them', async () => {
    await choose({ ranges: numberRanges('2') });
    expect(read).toBe(2);
  });

  test('are the first with the given id; a notice says how many share it', async () => {
    expect(await choose({ id: 's-4' })).toEqual([4]);
    expect(notices).toEqual([]);
    expect(await choose({ id: 's-2' })).toEqual([2]);
    expect(notices).toEqual(['f: 2 sentences have the id s-2; this is number 2']);
  });

  test.each([
    ['2,6', [2], 6],
    ['2,4-8', [2, 4, 5], 8],
  ])(
    'from %s include all that exist; a notice names the first missing one',
    async (text, numbers, missing) => {
      expect(await choose({ ranges: numberRanges(text) })).toEqual(numbers);
      expect(notices).toEqual([`f: no sentence ${missing} among 5`]);
    },
  );

  test.each([
    [{ ranges: numberRanges('6,7-8') }, 'no sentence 6 among 5'],
    [{ ranges: numberRanges('9-') }, 'no sentence 9 among 5'],
    [{ id: 's-6' }, 'no sentence with the id s-6 among 5'],
  ])('give an error if none of them exists', async (wanted, message) => {
    await expect(choose(wanted)).rejects.toThrow(new InputError(message, { file: 'f' }));
  });
});
