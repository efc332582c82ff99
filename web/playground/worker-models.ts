import type { ParallelParses } from '../../combine/vote/compared-sentences.ts';
import type { Parse } from '../../parsers/parser.ts';
import { NO_FILE } from '../../src/errors.ts';
import type { ParseExplanation } from '../../src/explain/explanation.ts';
import type {
  Backend,
  ComparedSentence,
  CompareRequest,
  OfferedModel,
  ShowStatus,
} from '../../src/report/workbench/backend.ts';
import { isTreebankText, tokenizerAmong } from '../../src/report/workbench/backend.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { LoadProgress } from '../protocol.ts';
import { Remote } from '../remote.ts';
import type { TrainedModel, TrainedModels } from './trained-models.ts';
import { fetched } from './treebanks.ts';
import type { playgroundCalls } from './worker-calls.ts';

/** A model in the folder of the page, as listed in models.json. */
interface ListedModel {
  readonly name: string;
  readonly kind: 'pipeline' | 'parser';
  readonly about: string;
  /** Relative to the page. */
  readonly file: string;
  /** SHA-256; with it, the browser caches the model. */
  readonly digest?: string;
}

export type PlaygroundWorker = Remote<typeof playgroundCalls>;

/** Models in workers, one each: those in the folder of the page, and those that it has trained. */
export class WorkerModels implements Pick<Backend, 'models' | 'compare' | 'explain'> {
  private listed: readonly ListedModel[] = [];
  private readonly open = new Map<string, Promise<PlaygroundWorker>>();
  /** A worker for calls that need no model. */
  readonly withoutModel: PlaygroundWorker = new Remote();

  constructor(private readonly own: TrainedModels) {}

  async models(): Promise<readonly OfferedModel[]> {
    if (this.listed.length === 0) {
      this.listed = JSON.parse((await fetched('models.json')).text);
      // Trees and comparisons of the vote have a name, too.
      await this.own.reserve([...this.listed.map(({ name }) => name), 'Vote', 'vote']);
    }
    const ready = this.listed.map((model) => ({ ...model, isChosen: model.kind === 'pipeline' }));
    // Not chosen at first, since its labels may differ from the other models' labels.
    const common = { kind: 'parser', about: 'yours', isChosen: false } as const;
    const own = this.own.all.map(({ name }) => ({ name, ...common }));
    const all = { pipeline: ['tokenizer', 'tagger', 'parser'], parser: ['parser'] };
    return [...ready, ...own].map((model) => ({ ...model, abilities: all[model.kind] }));
  }

  /** @param worker the worker that has trained the model */
  add(model: TrainedModel, worker: PlaygroundWorker): void {
    this.own.add(model);
    this.open.set(model.name, Promise.resolve(worker));
  }

  remove(name: string): void {
    this.own.remove(name);
    const opened = this.open.get(name);
    this.open.delete(name);
    void opened?.then((remote) => remote.end(new Error(`${name} is removed`)));
  }

  async compare(
    { words, models, vote }: CompareRequest,
    signal: AbortSignal,
    say: ShowStatus,
  ): Promise<ComparedSentence[]> {
    const tokenizer = tokenizerAmong(await this.models(), models);
    const given = isTreebankText(words)
      ? readSentences(words, { name: NO_FILE, expect: 'tokens' })
      : await this.tokenize(words, tokenizer, say);
    signal.throwIfAborted();
    const opinions = await this.opinions(models, given, tokenizer, say);
    signal.throwIfAborted();
    const options = { vote: vote && models.length > 1, confidence: true };
    return this.withoutModel.call('compared', [models, opinions, options]);
  }

  async explain(model: string, conllu: string): Promise<ParseExplanation> {
    const [sentence] = readSentences(conllu, { expect: 'tokens' });
    return (await this.remote(model)).call('explain', [sentence, {}]);
  }

  /** Parses with all models in parallel, but first with `tagger`, whose columns the others see. */
  async opinions(
    models: readonly string[],
    given: readonly Sentence[],
    tagger: string | undefined,
    say: ShowStatus,
  ): Promise<ParallelParses> {
    const remotes = new Map(models.map((name) => [name, this.remote(name, say)]));
    const parse = async (name: string, sentences: readonly Sentence[]) =>
      (await remotes.get(name)!).call<Parse[]>('opinion', [sentences, { confidence: true }]);
    const first = tagger === undefined ? undefined : await parse(tagger, given);
    const sentences = given.map((sentence, i) => ({ ...sentence, ...first?.[i].columns }));
    const parses = models.map((name) => (name === tagger ? first! : parse(name, sentences)));
    return { sentences, parses: await Promise.all(parses) };
  }

  /** Tokenizes a text with the chosen pipeline; without one, with another pipeline, which also tags it. */
  private async tokenize(text: string, chosen: string | undefined, say: ShowStatus): Promise<Sentence[]> {
    const name = chosen ?? this.listed.find(({ kind }) => kind === 'pipeline')!.name;
    const remote = await this.remote(name, say);
    say('parsing …');
    const sentences = await remote.call<Sentence[]>('tokenize', [text]);
    if (chosen !== undefined) return sentences;
    const tagged = await remote.call<Parse[]>('opinion', [sentences, { trees: false }]);
    return sentences.map((sentence, i) => ({ ...sentence, ...tagged[i].columns }));
  }

  /** Returns the worker of a model, which is loaded if necessary, also where its worker has died. */
  private async remote(name: string, say: ShowStatus = () => {}): Promise<PlaygroundWorker> {
    const opened = this.open.get(name);
    if ((await opened)?.isEnded && this.open.get(name) === opened) this.open.delete(name);
    const known = this.open.get(name) ?? this.load(name, say);
    this.open.set(name, known);
    // A model that could not be loaded is tried again next time.
    known.catch(() => this.open.delete(name));
    return known;
  }

  private async load(name: string, say: ShowStatus): Promise<PlaygroundWorker> {
    const remote: PlaygroundWorker = new Remote();
    const own = this.own.all.find((model) => model.name === name);
    const listed = this.listed.find((model) => model.name === name);
    if (own === undefined && listed === undefined) throw new Error(`There is no model ${name} here.`);
    const source = own?.bytes.slice().buffer ?? new URL(listed!.file, location.href).href;
    const onProgress = ({ loaded, total }: LoadProgress) => {
      const all = total === undefined ? '' : ` of ${megabytes(total)}`;
      say(`loading ${name}: ${megabytes(loaded)}${all} MB …`);
    };
    try {
      await remote.call('load', [source, name, listed?.digest], { onProgress });
      return remote;
    } catch (error) {
      remote.end(error);
      throw error;
    }
  }
}

export const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
