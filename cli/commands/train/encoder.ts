import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import type { Tokenizer } from '../../../annotators/annotator.ts';
import { openTokenizer } from '../../../annotators/registry.ts';
import { cutText } from '../../../annotators/tokenize-file.ts';
import { InputError } from '../../../src/errors.ts';
import { sizeOfFile } from '../../../src/files/files.ts';
import { checkStandardInput, TextFile } from '../../../src/files/text-file.ts';
import { CheckpointFile } from '../../../src/training/checkpoint-file.ts';
import { plainSentences } from '../../../src/training/encoder/plain-text.ts';
import { saveEncoder } from '../../../src/training/encoder/saved-encoder.ts';
import {
  encoderOptions,
  removeState,
  stateFiles,
  type TrainedEncoder,
  trainEncoder,
} from '../../../src/training/encoder/train.ts';
import * as shared from '../../options/common.ts';
import { checkModelPath } from '../../options/output-paths.ts';
import { readOptions } from '../../options/schema-options.ts';
import { examples } from '../../terminal/help.ts';
import { count, duration, fileSize, note, print, printJson, warn } from '../../terminal/output.ts';
import { stoppable } from '../../terminal/process.ts';
import { progress } from '../../terminal/progress.ts';
import { addTextTraining, type TextTrainingFlags, tokenizerIn } from './vectors.ts';

/** `parliament train encoder`. */
export function encoderCommand(command: Command): void {
  command
    .description('Trains a language model on raw text: its layers describe words in context, for --encoder.')
    .optionsGroup('Files:')
    .addOption(new Option('--text <files...>', 'plain text, maybe gzip').makeOptionMandatory())
    .addOption(
      new Option(
        '--model <file>',
        'output file; training keeps its state beside it until it is done',
      ).makeOptionMandatory(),
    )
    .option('--tokenizer <file>', 'tokenizer or pipeline that splits the text (default: plain rules)')
    .addOption(shared.encodingOption())
    .optionsGroup('Learning:');
  addTextTraining(command, encoderOptions, 'model', 'worker threads, one for each direction')
    .addHelpText(
      'after',
      examples(
        'parliament train encoder --text news.txt.gz --model english.encoder',
        'parliament train network --train train.conllu --model english.model --encoder english.encoder',
      ),
    )
    .action(learn);
}

async function learn(given: TextTrainingFlags): Promise<void> {
  const started = performance.now();
  const { model, quiet, seed, jobs, resume } = given;
  const options = readOptions(encoderOptions, given);
  checkStandardInput(given.text);
  const tokenizer =
    given.tokenizer === undefined ? undefined : await openTokenizer(tokenizerIn(given.tokenizer));
  const checkpoint = new CheckpointFile(model, { resume: resume ?? false });
  const state = checkpoint.path;
  const inputs = [...given.text, ...(given.tokenizer === undefined ? [] : [given.tokenizer])];
  checkModelPath(model, [...checkpoint.files, ...stateFiles(state)], inputs);
  const claimed = checkpoint.claim();
  if (claimed === undefined) throw new InputError(checkpoint.taken, { file: model });
  if (resume && !stateFiles(state).some(existsSync)) {
    warn(`no ${state} to resume from: training starts anew`);
  }
  const files = given.text.map((path) => new TextFile(path, given.encoding));
  const bar = progress('words', quiet);
  let total = 0;
  try {
    const trained = await stoppable((signal) =>
      trainEncoder(sentencesOf(files, tokenizer), given.text.join(', '), {
        options,
        seed,
        jobs,
        resume,
        signal,
        checkpoint: state,
        onText: (words) => {
          total = words * options.epochs;
        },
        onShare: (share) => bar.update('train encoder', share * total, total),
      }),
    )
      .catch((error) => {
        if (!(error instanceof Error && error.name === 'AbortError')) throw error;
        throw new DOMException('stopped; continue with --resume', error.name);
      })
      .finally(() => bar.clear());
    const text = files.map(({ path, digest }) => ({ file: basename(path), digest }));
    const { words, losses } = trained;
    saveEncoder(model, trained.encoder, { options, seed, text, words, losses });
    removeState(state);
    summarize(given, trained, (performance.now() - started) / 1000);
  } finally {
    claimed.release();
  }
}

async function* sentencesOf(
  files: readonly TextFile[],
  tokenizer: Tokenizer | undefined,
): AsyncGenerator<readonly string[]> {
  for (const file of files) {
    if (tokenizer === undefined) yield* plainSentences(file.chunks());
    else {
      for await (const sentences of cutText(file.chunks(), tokenizer, 'text', file.path)) {
        for (const { forms } of sentences) yield forms.slice(1);
      }
    }
  }
}

function summarize(
  { model, json, quiet }: TextTrainingFlags,
  { words, losses }: TrainedEncoder,
  seconds: number,
): void {
  const bytes = sizeOfFile(model);
  if (json) printJson({ model, bytes, seconds, words, losses });
  if (json || quiet) return;
  note(`${count(words)} words, sentence bounds included`);
  const last = Object.entries(losses).map(([direction, each]) => {
    return `${direction} cross-entropy ${each.at(-1)!.toFixed(3)}, perplexity ${Math.exp(each.at(-1)!).toFixed(1)}`;
  });
  print([`${model}: ${fileSize(bytes)}`, duration(seconds), ...last].join(', '));
}
