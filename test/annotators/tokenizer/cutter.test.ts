import { expect, test } from 'vitest';
import { Cutter } from '../../../annotators/tokenizer/cutter.ts';
import { tokenizerOptions } from '../../../annotators/tokenizer/options.ts';
import { FIELDS, Field, TOKEN_PAD } from '../../../annotators/tokenizer/token-list.ts';
import { Trainer } from '../../../annotators/tokenizer/training/trainer.ts';
import { readTrainingData } from '../../../annotators/tokenizer/training/training-data.ts';
import { miniTreebank } from '../../support/mini-treebank.ts';

test('a text is looked at as the training data was: its tokens, with blanks inside or not, are known', async () => {
  const treebank = miniTreebank('sinh_viên_giỏi đọc sách .\nhọc_sinh đọc sách .\n'.repeat(6));
  const options = tokenizerOptions.parse({ bits: 12 });
  const data = await readTrainingData(treebank, options, { seed: 1 });
  const trainer = new Trainer(data, options.bits, 'none');
  for (let epoch = 0; epoch < 5; epoch++) for (const example of data.examples) trainer.learn(example);
  const model = trainer.model();
  const cutter = new Cutter(model, 'text');
  cutter.read('học sinh đọc sách . Sinh  viên\ngiỏi đọc sách . học sinh đọc sách .', true);
  const { tokens } = cutter;
  expect(tokens.end - TOKEN_PAD).toBe(12);
  for (let t = TOKEN_PAD; t < tokens.end; t++) {
    expect(model.words.isKnown(tokens.data[t * FIELDS + Field.lower])).toBe(true);
  }
});
