import { describe, expect, test } from 'vitest';
import type { TextLayout } from '../../../annotators/annotator.ts';
import type { Tagger } from '../../../annotators/tagger/tagger.ts';
import { tokenizerOptions } from '../../../annotators/tokenizer/options.ts';
import { PieceTokenizer } from '../../../annotators/tokenizer/piece-tokenizer.ts';
import { BoundaryTag, SentenceNetwork } from '../../../annotators/tokenizer/sentence-network.ts';
import { Trainer } from '../../../annotators/tokenizer/task.ts';
import { isOneCharacter } from '../../../annotators/tokenizer/text/characters.ts';
import { LONGEST_PIECE, MARGIN } from '../../../annotators/tokenizer/text/pieces.ts';
import { FIELDS, Field, TOKEN_PAD } from '../../../annotators/tokenizer/token-list.ts';
import { readTrainingData } from '../../../annotators/tokenizer/training/training-data.ts';
import { expectClose } from '../../support/close.ts';
import { miniTreebank } from '../../support/mini-treebank.ts';

async function trainedOn(notation: string) {
  const treebank = miniTreebank(notation);
  const options = tokenizerOptions.parse({ bits: 12 });
  const data = await readTrainingData(treebank, options, { seed: 1 });
  const trainer = new Trainer(data, options.bits, 'none');
  for (let epoch = 0; epoch < 5; epoch++) for (const example of data.examples) trainer.learn(example);
  return trainer.model();
}

test('words of the training data are known in a text, whatever blanks are inside them', async () => {
  const model = await trainedOn('sinh_viên_giỏi đọc sách .\nhọc_sinh đọc sách .\n'.repeat(6));
  const piece = new PieceTokenizer(model, 'text');
  piece.read('học sinh đọc sách . Sinh  viên\ngiỏi đọc sách . học sinh đọc sách .', true);
  const { tokens } = piece;
  expect(tokens.end - TOKEN_PAD).toBe(12);
  for (let t = TOKEN_PAD; t < tokens.end; t++) {
    expect(model.words.isKnown(tokens.data[t * FIELDS + Field.lower])).toBe(true);
  }
});

describe('a token without an end in its piece', async () => {
  const { weights, ...knowledge } = await trainedOn('the dogs bark+ .\n');
  const none = new Int16Array(weights.tokens.length);
  const model = { ...knowledge, weights: { ...weights, tokens: none } };

  /** The one token that is cut from the beginning of an endless text. */
  function cutToken(text: string): string {
    const piece = new PieceTokenizer(model, 'text');
    piece.read(text, false);
    expect(piece.tokens.end - TOKEN_PAD).toBe(1);
    return text.slice(0, piece.units.offsets[piece.tokens.endOf(TOKEN_PAD)]);
  }

  test.each([
    ['a letter and its accent', 'a\u0301'],
    ['a thumb and its colour', '👍🏽'],
    ['joined faces', '👩\u200d👧'],
  ])('is cut before the margin of the piece, never inside a visible character: %s', (_, character) => {
    for (let shift = 0; shift < character.length; shift++) {
      const text = character.repeat(LONGEST_PIECE / character.length) + 'b'.repeat(shift);
      const token = cutToken(text);
      expect(token).toBe(character.repeat(token.length / character.length));
      expect(text.length - MARGIN - token.length).toBeGreaterThanOrEqual(0);
      expect(text.length - MARGIN - token.length).toBeLessThan(character.length);
    }
  });

  test('is cut at the margin of the piece if the whole token is one visible character', () => {
    const text = `a${'\u0301'.repeat(LONGEST_PIECE)}`;
    expect(cutToken(text)).toHaveLength(text.length - MARGIN);
  });
});

test('a long token that ends in the margin of a piece is cut there, so that it is not read repeatedly', async () => {
  const piece = new PieceTokenizer(await trainedOn('the dogs bark+ .\n'), 'text');
  const beginning = 'the dogs ';
  const text = `${beginning}${'b'.repeat(LONGEST_PIECE - 100)} bark .`;
  piece.read(text, false);
  const { tokens, units, settledEnd } = piece;
  expect(settledEnd - TOKEN_PAD).toBe(3);
  expect(units.offsets[tokens.endOf(settledEnd - 1)]).toBe(text.length - MARGIN);
  piece.read(text, true);
  expect(tokens.end - TOKEN_PAD).toBe(5);
});

test.each([
  ['a', 'b', false],
  ['a', '\u0301', true],
  ['é', 'a', false],
  ['👍', '🏽', true],
  ['👍', '👍', false],
  ['👩', '\u200d', true],
  ['\u200d', '👧', true],
])('isOneCharacter tells whether %j and %j are one visible character', (before, after, isOne) => {
  expect(isOneCharacter(before.codePointAt(0)!, after.codePointAt(0)!)).toBe(isOne);
});

describe('a sentence network', async () => {
  const model = await trainedOn('the dogs bark+ .\nthe cats sleep+ .\n'.repeat(6));
  const text = 'the dogs bark. the cats sleep.';
  /** The tokens of the text after which a sentence ends, by a network with these log-odds. */
  const endsBy = (odds: number, layout: TextLayout) => {
    const read: (readonly string[])[] = [];
    const network: Pick<SentenceNetwork, 'logOdds'> = {
      logOdds: (forms) => {
        read.push(forms);
        return new Float64Array(forms.length).fill(odds);
      },
    };
    const piece = new PieceTokenizer({ ...model, network: network as SentenceNetwork }, layout);
    piece.read(text, true);
    const places = Array.from({ length: piece.tokens.end - TOKEN_PAD - 1 }, (_, i) => TOKEN_PAD + i);
    return { read, ends: places.filter((t) => piece.endsSentence(t, TOKEN_PAD)).map((t) => t - TOKEN_PAD) };
  };

  test('reads the tokens of a piece, and its log-odds are added to the scores', () => {
    expect(endsBy(0, 'text').ends).toEqual([3]);
    expect(endsBy(1000, 'text').ends).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(endsBy(-1000, 'text').ends).toEqual([]);
    expect(endsBy(0, 'text').read).toEqual([['', ...text.replaceAll('.', ' .').split(' ')]]);
  });

  test('adds 0.8 to its log-odds, so that sentences also end at probabilities slightly below one half', () => {
    const tags = ['', BoundaryTag.inside, BoundaryTag.inside, BoundaryTag.end];
    const confidences = Float64Array.of(1, 0.6, 0.9, 0.6);
    const tagger = { confidentTags: () => ({ tags, confidences }) } as unknown as Tagger;
    const odds = [...new SentenceNetwork(tagger).logOdds(['', 'a', 'b', 'c'])].slice(1);
    const expected = [0.8 - Math.log(1.5), 0.8 - Math.log(9), 0.8 + Math.log(1.5)];
    expectClose(odds, expected, 9);
    expect(odds.map((value) => value > 0)).toEqual([true, false, true]);
  });

  test('reads nothing if the layout determines the sentences', () => {
    expect(endsBy(1000, 'lines')).toEqual({ read: [], ends: [] });
  });
});
