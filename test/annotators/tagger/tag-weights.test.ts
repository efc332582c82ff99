import { expect, test } from 'vitest';
import { SentenceFeatures, Side } from '../../../annotators/tagger/features.ts';
import { TagDecoder } from '../../../annotators/tagger/tag-decoder.ts';
import { uposSize } from '../../../annotators/tagger/tag-weights.ts';
import { readTrainingData } from '../../../annotators/tagger/training/training-data.ts';
import { WordReader } from '../../../annotators/tagger/words.ts';
import { Random } from '../../../src/learn/random.ts';
import { inMemory } from '../../../src/treebank/treebanks.ts';
import { wordsOf } from '../../support/tagged-words.ts';

const seed = 1 + Math.floor(Math.random() * 1e6);
const forms = ['the', 'Dogs', 'bark', '.', 'e-mail', '42', 'x'];
const tags = ['A/B/_', 'C/D/E=F', 'C/G/_'];

test(`the scores cached for each word are the sums over all features (seed ${seed})`, async () => {
  const random = new Random(seed);
  const pick = (all: readonly string[]) => all[random.below(all.length)];
  const sentences = Array.from({ length: 30 }, () =>
    Array.from({ length: 1 + random.below(7) }, () => `${pick(forms)}/${pick(tags)}`).join(' '),
  );
  const { examples, knowledge } = await readTrainingData(inMemory(sentences.map(wordsOf), 'random'), 1);
  const { tags: tagSet, lexicon, features } = knowledge;
  const weights = {
    upos: Int16Array.from({ length: uposSize(features, tagSet) }, () => random.below(200) - 100),
    morphology: new Int16Array(2),
  };
  const found = new SentenceFeatures(features, tagSet);
  const decoder = new TagDecoder({ tags: tagSet, lexicon, features, weights }, found);
  const reader = new WordReader(lexicon);
  const size = tagSet.upos.length;
  for (const [number, sentence] of sentences.entries()) {
    const words = reader.read(['', ...wordsOf(sentence).forms.slice(1)]);
    const { bundles } = examples[number];
    found.reset(words.length);
    decoder.reset(words.length);
    for (let i = 0; i < words.length; i++) {
      decoder.addTextFeatures(words, i);
      decoder.addTagFeatures(words, i, bundles, Side.after);
      const kept = decoder.upos.slice(2 * i * size, (2 * i + 1) * size);
      decoder.scoreUpos(i, Side.after);
      expect([...kept]).toEqual([...decoder.scores.slice(0, size)]);
    }
  }
});
