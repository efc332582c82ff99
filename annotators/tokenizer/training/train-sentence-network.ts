import type { NamedScores, TrainingRun } from '../../../src/training/training-run.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { inMemory } from '../../../src/treebank/treebanks.ts';
import { taggerOptions } from '../../tagger/options.ts';
import { tagger } from '../../tagger/task.ts';
import type { TokenizerOptions } from '../options.ts';
import { BoundaryTag, SentenceNetwork } from '../sentence-network.ts';
import { SentenceBuilder } from '../tokenizer.ts';
import type { Paragraph } from './paragraphs.ts';

/** There are no tags but universal ones. */
const NO_BITS = 10;

/** Trains the network that the options ask for; undefined if they ask for none. Its state is not in checkpoints. */
export async function trainSentenceNetwork(
  paragraphs: readonly Paragraph[],
  name: string,
  { units }: TokenizerOptions,
  { dev: _, checkpoints: __, ...run }: TrainingRun<NamedScores>,
): Promise<SentenceNetwork | undefined> {
  if (units === 0) return undefined;
  run.onNotice?.('the network for sentence ends is trained first');
  const builder = new SentenceBuilder(name);
  const tagged = paragraphs.map((paragraph) => taggedParagraph(paragraph, builder));
  const options = taggerOptions.parse({ units, bits: NO_BITS });
  return new SentenceNetwork(await tagger.train(inMemory(tagged, name), options, run));
}

/** A paragraph as one sentence, with a `BoundaryTag` for each token. */
function taggedParagraph({ tokens, sentenceEnds }: Paragraph, builder: SentenceBuilder): Sentence {
  for (const { form } of tokens) builder.add('', form, () => undefined, ' ');
  const upos = ['', ...new Array<string>(tokens.length).fill(BoundaryTag.inside)];
  for (const end of sentenceEnds) upos[end] = BoundaryTag.end;
  return { ...builder.finish(false, false), upos };
}
