import { type TrainedAnnotator, trainAnnotator } from '../../annotators/train-annotator.ts';
import { type TrainedParser, trainParser } from '../../combine/train-parser.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { FirstSentences, inMemory } from '../../src/treebank/treebanks.ts';
import { sampleText } from './sample.ts';

/** The models of a small pipeline, quickly trained on the bundled treebank. */
export interface SmallModels {
  readonly tokenizer: TrainedAnnotator;
  readonly tagger: TrainedAnnotator;
  readonly lemmatizer: TrainedAnnotator;
  readonly parser: TrainedParser;
}

let trained: Promise<SmallModels> | undefined;

/** Trains the models once for each test file. */
export function smallModels(): Promise<SmallModels> {
  trained ??= trainAll();
  return trained;
}

async function trainAll(): Promise<SmallModels> {
  const treebank = new FirstSentences(inflected('train'), 120);
  const small = { epochs: 2, bits: 14 };
  return {
    tokenizer: await trainAnnotator('tokenizer', treebank, { options: small }),
    tagger: await trainAnnotator('tagger', treebank, { options: { ...small, units: 32, networkEpochs: 2 } }),
    lemmatizer: await trainAnnotator('lemmatizer', treebank, { options: { epochs: 2, bits: 12 } }),
    parser: await trainParser('transition', treebank, { options: { ...small, beam: 1 } }),
  };
}

/** The bundled treebank with made-up lemmas (forms in lower case) and features (nouns in -s are plural). */
export function inflected(part: 'train' | 'dev'): Treebank {
  return inMemory(readSentences(sampleText(part)).map(withMorphology), `${part}.conllu`);
}

function withMorphology(sentence: Sentence): Sentence {
  const { forms, upos } = sentence;
  return {
    ...sentence,
    lemmas: forms.map((form) => form.toLowerCase()),
    feats: forms.map((form, d) =>
      d > 0 && upos[d] === 'NOUN' ? `Number=${form.endsWith('s') ? 'Plur' : 'Sing'}` : d === 0 ? '' : '_',
    ),
  };
}
