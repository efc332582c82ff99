import { type Command, Option } from 'commander';
import { IndependenceCheck } from '../../../combine/vote/analysis/independence.ts';
import { ensembleOf } from '../../../combine/vote/ensemble/ensemble.ts';
import { voteCrossValidated } from '../../../combine/vote/files/cross-validated-vote.ts';
import { type GoldFile, readGoldBallots, voteFiles } from '../../../combine/vote/files/vote-files.ts';
import { type VoteFigures, voteOnBallots } from '../../../combine/vote/files/voted-file.ts';
import { Vote } from '../../../combine/vote/vote.ts';
import { AgreementWeighting } from '../../../combine/vote/weights/agreement/agreement-weighting.ts';
import { learnAgreement, MemberAnswers } from '../../../combine/vote/weights/agreement/learn-agreement.ts';
import { defaultWeightingName } from '../../../combine/vote/weights/learn-weighting.ts';
import type { Weighting } from '../../../combine/vote/weights/weighting.ts';
import { parseFile } from '../../../parsers/run/parse-file.ts';
import { type InputError, UsageError } from '../../../src/errors.ts';
import { percent } from '../../../src/evaluate/percent.ts';
import { isSameFile } from '../../../src/files/files.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import {
  allowMissingOption,
  checkJson,
  encodingOption,
  fromOption,
  jobsOption,
  jsonOption,
  quietOption,
  skipInvalidOption,
} from '../../options/common.ts';
import { examples } from '../../terminal/help.ts';
import { count, duration, note, plural, printJson, SkippedSentences, warn } from '../../terminal/output.ts';
import { progress } from '../../terminal/progress.ts';
import { explain } from './explain.ts';
import {
  crossValidateOption,
  fileOptions,
  foldsOption,
  methodOption,
  modelOption,
  speedsOption,
  type VoteFlags,
  voteOptions,
  weightingOption,
  weightsOption,
} from './options.ts';
import { bracketedFiles, voteOverPhrases } from './phrases.ts';
import { search } from './search.ts';
import {
  checkDevCount,
  chosenWeights,
  noteEqualWeights,
  parseKnown,
  parseUnknown,
  readModels,
  weightsByDev,
} from './weights.ts';

/** `parliament vote PRED PRED… [--weights a,b,…|--dev-gold G --dev P P…] -o OUT` */
export function voteCommand(command: Command): Command {
  return command
    .argument(
      '[trees...]',
      'the parsers’ trees, one file each; with --model: the sentences (-: standard input)',
    )
    .option(
      '-o, --output <file>',
      'where the trees go (-: standard output; the default, unless tables go there)',
    )
    .addOption(modelOption())
    .optionsGroup('Weights (default: all the same):')
    .addOption(weightsOption())
    .option('--dev-gold <file>', 'right trees of sentences that no parser was trained on, to weigh them by')
    .option(
      '--dev <files...>',
      'the parsers’ trees of --dev-gold, in the same order (models parse it themselves)',
    )
    .addOption(weightingOption())
    .addOption(crossValidateOption())
    .optionsGroup('Trees:')
    .addOption(methodOption())
    .option('--single-root', 'exactly one token depends on the root (default: as most parsers have it)')
    .option('--no-single-root', 'one or more tokens depend on the root')
    .option(
      '--confidence',
      'write the confidence of each arc into the MISC column of CoNLL-U: Confidence=0.987',
    )
    .optionsGroup('Analysis:')
    .option('--explain', 'report what the vote is made of, and whether it is better; needs --gold')
    .option('--search', 'look for the best members, weights and method on --dev-gold; report on --gold')
    .addOption(foldsOption())
    .addOption(speedsOption())
    .option('--gold <file>', 'the right trees of the sentences voted on')
    .addOption(
      new Option('--format <name>', 'how tables are printed')
        .choices(['text', 'markdown', 'json'])
        .default('text'),
    )
    .addOption(jsonOption('the same as --format json').implies({ format: 'json' }))
    .optionsGroup('Running:')
    .addOption(fromOption())
    .addOption(encodingOption())
    .addOption(withModels(skipInvalidOption()))
    .addOption(withModels(allowMissingOption()))
    .addOption(withModels(jobsOption()))
    .addOption(quietOption())
    .addHelpText(
      'after',
      examples(
        'parliament vote a.conllu b.conllu c.conllu --weighting agreement -o voted.conllu',
        'parliament vote graph.conllu eager.conllu bigram.conllu --weights 87.1,86.2,75.4 -o voted.conllu',
        'parliament vote a.conllu b.conllu c.conllu --dev-gold dev.conllu --dev a.dev b.dev c.dev -o voted.conllu',
        'parliament vote --model a.model --model b.model --model c.model new.conllu --dev-gold dev.conllu -o voted.conllu',
        'parliament vote a.mrg b.mrg c.mrg --dev-gold dev.mrg --dev a.dev.mrg b.dev.mrg c.dev.mrg -o voted.mrg',
        'parliament vote --explain a.conllu b.conllu c.conllu --gold gold.conllu --weights 87.1,86.2,75.4',
      ),
    )
    .action(run);
}

function withModels(option: Option): Option {
  option.description = `with --model: ${option.description}`;
  return option;
}

async function run(files: readonly string[], flags: VoteFlags): Promise<void> {
  checkCombination(files, flags);
  if (flags.search) return search(files, flags);
  if (flags.explain) return explain(files, flags);
  return flags.model === undefined ? voteOverFiles(files, flags) : voteOverModels(files, flags);
}

function checkCombination(files: readonly string[], flags: VoteFlags): void {
  const { explain, search, gold, model, skipInvalid, weights, weighting, method, devGold, dev, output } =
    flags;
  checkJson(flags);
  if (explain && search) throw new UsageError('--explain or --search, not both');
  if (gold !== undefined && !explain && !search) {
    throw new UsageError('--gold is for --explain and --search: to learn weights from it is --dev-gold');
  }
  if (explain && gold === undefined) throw new UsageError('--explain needs --gold: the right trees');
  if (explain && output !== undefined) throw new UsageError('--explain prints tables: expected no --output');
  if (search && devGold === undefined) throw new UsageError('--search needs --dev-gold, to search on');
  if (search && (weights ?? weighting ?? method) !== undefined) {
    throw new UsageError('--search finds weights and method itself: expected none');
  }
  if (flags.folds !== undefined && !search) throw new UsageError('--folds is for --search');
  if (flags.speeds !== undefined && !search) throw new UsageError('--speeds is for --search');
  checkCrossValidation(files, flags);
  if (model !== undefined && (explain || search)) {
    throw new UsageError('--explain and --search take files of trees: parse with each model first');
  }
  if (skipInvalid && model === undefined) {
    throw new UsageError('--skip-invalid is for --model: parsers’ files have to have the same sentences');
  }
  if (flags.confidence && (explain || search)) {
    throw new UsageError('--confidence is for the trees voted on: expected no --explain, --search');
  }
  if (flags.allowMissing && model === undefined) {
    throw new UsageError('--allow-missing is for --model: files of trees are voted on as they are');
  }
  if (model !== undefined && files.length > 1) throw new UsageError('--model takes one file of sentences');
  if (model === undefined && files.length === 0 && !search) {
    if (dev !== undefined) checkDevCount(dev, 0);
    throw new UsageError('name the files of trees');
  }
}

function checkCrossValidation(
  files: readonly string[],
  { crossValidate, explain, search, devGold, dev, weights, skipInvalid }: VoteFlags,
): void {
  if (crossValidate === undefined) return;
  if (explain || search)
    throw new UsageError('--cross-validate is for voting: expected no --explain, --search');
  if (weights !== undefined) throw new UsageError('--weights are not learnt: expected no --cross-validate');
  if (devGold === undefined) {
    throw new UsageError('--cross-validate needs --dev-gold: the right trees of the sentences voted on');
  }
  if (skipInvalid) throw new UsageError('--cross-validate takes all sentences: expected no --skip-invalid');
  const areSame = dev?.length === files.length && dev.every((file, i) => isSameFile(file, files[i]));
  if (dev !== undefined && !areSame) {
    throw new UsageError('--cross-validate weighs the files voted on by themselves: expected no other --dev');
  }
}

async function voteOverFiles(files: readonly string[], flags: VoteFlags): Promise<void> {
  const bracketed = await bracketedFiles(files, flags);
  if (bracketed !== undefined) return voteOverPhrases(bracketed, flags);
  const started = performance.now();
  if (flags.crossValidate !== undefined) {
    const known = await readGoldBallots(flags.devGold!, files, fileOptions(flags));
    return voteOverKnown(known, files, started, flags);
  }
  const { weightsFor, learntFrom, calibration } = await chosenWeights(files, flags);
  const weighting = weightsFor([...files.keys()]);
  const { bar, told } = voteProgress(flags);
  const { confidence } = flags;
  const how = { ...voteOptions(flags), weighting, calibration, confidence };
  const options = { ...how, ...fileOptions(flags), learntFrom, ...told };
  const figures = await voteFiles(files, outputOf(flags), options).finally(() => bar.clear());
  warnOfLostLabels(figures, files[0]);
  tell(figures, files.length, weighting, started, flags);
}

/** Votes on sentences whose trees are known, cross-validated. */
async function voteOverKnown(
  known: GoldFile,
  files: readonly string[],
  started: number,
  flags: VoteFlags,
): Promise<void> {
  const weighting = flags.weighting ?? defaultWeightingName(known.ballots);
  const { bar, told } = voteProgress(flags);
  const { confidence } = flags;
  const options = { ...voteOptions(flags), ...fileOptions(flags), weighting, confidence, ...told };
  const voted = voteCrossValidated(known, outputOf(flags), { ...options, folds: flags.crossValidate! });
  const figures = await voted.finally(() => bar.clear());
  warnOfLostLabels(figures, files[0]);
  tell(figures, known.ballots[0].trees.length, { name: weighting }, started, flags);
}

function voteProgress({ quiet }: VoteFlags) {
  const bar = progress('sentences', quiet);
  const onProgress = (sentences: number) => bar.update('voting', sentences);
  const onNotice = (notice: string) => {
    bar.clear();
    if (!quiet) note(notice);
  };
  return { bar, told: { onProgress, onNotice } };
}

function warnOfLostLabels({ labelsLost }: VoteFigures, file: string): void {
  if (!labelsLost) return;
  warn(`${file} has no column for labels, so that none are written: name a file of CoNLL first`);
}

async function voteOverModels([input = '-']: readonly string[], flags: VoteFlags): Promise<void> {
  const { quiet, jobs, skipInvalid, allowMissing } = flags;
  const output = outputOf(flags);
  const started = performance.now();
  const models = readModels(flags);
  if (flags.crossValidate !== undefined) {
    return voteOverKnown(await parseKnown(models, flags, input), [input], started, flags);
  }
  if (flags.weighting === 'agreement' && flags.devGold === undefined) {
    return voteOverParsed(models, input, started, flags);
  }
  const { weightsFor, learntFrom, calibration } = await weightsByDev(models.length, flags, models);
  const weighting = weightsFor([...models.keys()]);
  const ensemble = ensembleOf(models, weighting, { ...voteOptions(flags), calibration });
  const bar = progress('sentences', quiet);
  const skipped = new SkippedSentences();
  const clearing = (say: () => void) => {
    bar.clear();
    say();
  };
  const figures = await parseFile(ensemble, input, output, {
    ...fileOptions(flags),
    jobs,
    skipInvalid,
    confidence: flags.confidence,
    check: new IndependenceCheck(learntFrom, input),
    allowMissing,
    onProgress: (sentences) => bar.update('parsing and voting', sentences),
    onSkip: (error: InputError) => clearing(() => skipped.add(error)),
    onNotice: (notice) => clearing(() => quiet || note(notice)),
    onWarning: (warning) => clearing(() => warn(warning)),
  }).finally(() => bar.clear());
  skipped.summarize();
  tell(figures, models.length, weighting, started, flags);
}

/** Votes on what models parse, with weights learnt from that: all of it is in memory. */
async function voteOverParsed(
  models: readonly ModelReader[],
  input: string,
  started: number,
  flags: VoteFlags,
): Promise<void> {
  if (flags.skipInvalid)
    throw new UsageError('--weighting agreement takes all sentences: expected no --skip-invalid');
  const ballots = await parseUnknown(models, flags, input);
  const weighting = new AgreementWeighting(learnAgreement(MemberAnswers.of(ballots)));
  const { bar, told } = voteProgress(flags);
  const vote = new Vote(weighting, voteOptions(flags));
  const voted = voteOnBallots(ballots, outputOf(flags), vote, {
    ...fileOptions(flags),
    ...told,
    confidence: flags.confidence,
  });
  const figures = await voted.finally(() => bar.clear());
  warnOfLostLabels(figures, input);
  tell(figures, models.length, weighting, started, flags);
}

function outputOf({ output = '-' }: VoteFlags): string {
  return output;
}

function tell(
  figures: { readonly sentences: number; readonly tokens: number; readonly ties?: number | undefined },
  parsers: number,
  weighting: Pick<Weighting, 'name'>,
  started: number,
  flags: VoteFlags,
): void {
  const { format, quiet } = flags;
  const { name } = weighting;
  noteEqualWeights(weighting, flags);
  const { method } = voteOptions(flags);
  const seconds = (performance.now() - started) / 1000;
  if (format === 'json') {
    const stream = outputOf(flags) === '-' ? process.stderr : process.stdout;
    const record = { ...figures, parsers, method, weighting: name, seconds };
    printJson(record, stream);
  } else if (!quiet) {
    const sentences = plural(figures.sentences, 'sentence');
    note(
      `${plural(parsers, 'parser')} voted on ${sentences} in ${duration(seconds)} (${method}, weights: ${name})`,
    );
    noteTies(figures);
  }
}

/** Says how often no answer had more votes than all others. */
function noteTies({
  ties = 0,
  tokens,
}: {
  readonly ties?: number | undefined;
  readonly tokens: number;
}): void {
  if (ties === 0) return;
  const share = percent(ties, tokens).toFixed(2);
  note(
    `${share}% of the arcs (${count(ties)} of ${count(tokens)}) were ties, which no vote decides: see docs/voting.md`,
  );
}
