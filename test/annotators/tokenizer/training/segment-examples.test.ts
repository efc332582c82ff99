import { expect, test } from 'vitest';
import { tokenizerOptions } from '../../../../annotators/tokenizer/options.ts';
import { ATOM_PAD } from '../../../../annotators/tokenizer/segments/atoms.ts';
import { spanFacts } from '../../../../annotators/tokenizer/segments/span-facts.ts';
import { EMPTY_HASH } from '../../../../annotators/tokenizer/token-list.ts';
import { readTrainingData } from '../../../../annotators/tokenizer/training/training-data.ts';
import { mix } from '../../../../src/learn/hashing.ts';
import { miniTreebank } from '../../../support/mini-treebank.ts';

const learnFrom = (notation: string) =>
  readTrainingData(miniTreebank(notation), tokenizerOptions.parse({}), { seed: 1 });

test.each([
  ['without blanks between words', '我们+ 学习+ 中文+ 。+\n', true],
  ['with blanks inside of many words', 'sinh_viên đọc sách .\n', true],
  ['with blanks inside of a few numbers', `${'le chat va bien .\n'.repeat(9)}10_000 chats .\n`, false],
  ['with blanks between all words', 'the dogs bark .\n', false],
])(
  'text %s is cut as a whole only if blanks do not separate its words (%#)',
  async (_, notation, isSegmented) => {
    const { segments, knowledge } = await learnFrom(notation.repeat(9));
    expect(segments !== undefined).toBe(isSegmented);
    expect(knowledge.segmentation !== undefined).toBe(isSegmented);
  },
);

/** Of two parts each, the first string is seen twice, once as a token, and “học_sinh” once, as a token. */
test('what is known about a string of parts in a training sentence leaves out that occurrence', async () => {
  const { segments } = await learnFrom('sinh_viên anh\nsinh viên em\nhọc_sinh em');
  const [{ atoms, ends }] = [...segments!.byParagraph.values()];
  const facts = (first: number, isToken: boolean) => {
    const hash = mix(mix(EMPTY_HASH, atoms!.lowers[first]), atoms!.lowers[first + 1]);
    return { elsewhere: segments!.counts.of(hash, isToken), known: segments!.segmentation.spans.of(hash) };
  };
  const [sinhVien, hocSinh] = [ATOM_PAD, ATOM_PAD + 6];
  expect(ends[sinhVien]).toBe(0);
  expect(facts(sinhVien, true)).toEqual({ elsewhere: spanFacts(0, 1), known: spanFacts(1, 2) });
  expect(facts(sinhVien + 3, false)).toEqual({ elsewhere: spanFacts(1, 1), known: spanFacts(1, 2) });
  expect(facts(hocSinh, true)).toEqual({ elsewhere: 0, known: spanFacts(1, 1) });
});
