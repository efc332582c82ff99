import { byId } from '../../src/report/html/browser/page.ts';
import { saveFile } from '../../src/report/html/browser/tools.ts';
import { html } from '../../src/report/html/html.ts';
import { linePlot } from '../../src/report/plot-svg.ts';
import type { ShowStatus } from '../../src/report/workbench/backend.ts';
import type { TrainingProgress } from '../../src/training/training-run.ts';
import { Remote } from '../remote.ts';
import { type OptionValues, optionFields, optionValues } from './options-form.ts';
import type { Recipe, TrainedModel, TrainedModels } from './trained-models.ts';
import { chosenTreebanks, type NamedText, sampleTreebanks, type TrainingData } from './treebanks.ts';
import type { OfferedParadigm } from './worker-calls.ts';
import { megabytes, type PlaygroundWorker, type WorkerModels } from './worker-models.ts';

/** Options for a small treebank and a few seconds; the defaults of these paradigms are for larger ones. */
const small: Readonly<Record<string, OptionValues>> = {
  graph: { bits: 18 },
  transition: { beam: 1, epochs: 10, bits: 18 },
  network: { epochs: 15, units: 48 },
};

/** The part of the page that trains parsers, and lists those that it has trained. */
export class TrainingView {
  /** The held-out data of the training that ended last, unless it was on the sample. */
  heldOut: NamedText | undefined;
  private paradigms: readonly OfferedParadigm[] = [];
  private running: AbortController | undefined;
  private readonly box = byId('options');
  private readonly choice = byId<HTMLSelectElement>('paradigm');

  /** @param changed called when a model has been added or removed */
  constructor(
    private readonly models: WorkerModels,
    private readonly own: TrainedModels,
    private readonly changed: () => Promise<void>,
  ) {}

  async start(): Promise<void> {
    this.paradigms = await this.models.withoutModel.call('paradigms', []);
    this.choice.innerHTML = html`${this.paradigms.map(({ name }) => html`<option>${name}</option>`)}`.text;
    this.choice.addEventListener('change', () => this.showOptions());
    this.showOptions();
    byId('train').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.submit();
    });
    for (const id of ['train-file', 'dev-file']) {
      byId(id).addEventListener('change', () => {
        byId<HTMLInputElement>('use-own').checked = true;
      });
    }
    // Opens the options: a browser cannot report an invalid field inside a closed <details>.
    const showInvalid = () => this.box.closest('details')!.setAttribute('open', '');
    this.box.addEventListener('invalid', showInvalid, { capture: true });
    byId('stop').addEventListener('click', () => this.running?.abort());
    byId<HTMLButtonElement>('start-training').disabled = false;
    this.showOwn();
  }

  /** Trains the models of an address that the page does not have; throws if it has others of their names. */
  async prepare(fields: URLSearchParams, say: ShowStatus): Promise<void> {
    for (const text of fields.getAll('trained')) {
      const [name, paradigm, options] = recipeOf(text);
      if (this.own.recipes([name]).some(([, own]) => own === text)) continue;
      if (this.own.freeName(name) !== name)
        throw new Error(`The link trains a model ${name}, but here another one has that name.`);
      const onProgress = (progress: TrainingProgress) => say(`training ${name}: ${progressText(progress)}`);
      const recipe = { paradigm, options, isSample: true };
      await this.train(name, recipe, await sampleTreebanks(), { onProgress });
    }
  }

  private get paradigm(): OfferedParadigm {
    return this.paradigms.find(({ name }) => name === this.choice.value)!;
  }

  private showOptions(): void {
    const { name, summary, options } = this.paradigm;
    byId('paradigm-note').textContent = summary;
    this.box.innerHTML = optionFields(options, small[name] ?? {}).text;
    byId<HTMLInputElement>('model-name').value = this.own.freeName(`my-${name}`);
  }

  private async submit(): Promise<void> {
    if (this.running !== undefined) return;
    this.running = new AbortController();
    const { signal } = this.running;
    const name = this.own.freeName(byId<HTMLInputElement>('model-name').value.trim() || 'mine');
    this.say('reading …');
    byId('stop').hidden = false;
    byId('curve').innerHTML = '';
    const curve = new Map<number, number>();
    const began = performance.now();
    try {
      const isSample = byId<HTMLInputElement>('use-sample').checked;
      const treebanks = isSample ? await sampleTreebanks() : await chosenTreebanks();
      const options = optionValues(this.paradigm.options, this.box);
      const onProgress = (progress: TrainingProgress) => {
        this.say(progressText(progress));
        if (progress.dev === undefined) return;
        curve.set(progress.epoch, progress.dev.las);
        if (curve.size > 1) drawCurve(name, curve);
      };
      const recipe = { paradigm: this.paradigm.name, options, isSample };
      const { las, bytes } = await this.train(name, recipe, treebanks, { signal, onProgress });
      const score = las === undefined ? '' : `: LAS ${las.toFixed(2)} on ${treebanks.dev?.name}`;
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      this.say(`${name} is trained${score}; ${seconds} s, ${megabytes(bytes.length)} MB`);
      byId<HTMLInputElement>('model-name').value = this.own.freeName(name);
    } catch (error) {
      if (signal.aborted) this.say('stopped: nothing is kept');
      else this.say('', (error as Error).message);
    }
    // A button with the focus hands it on before it is hidden.
    if (document.activeElement === byId('stop')) byId('start-training').focus();
    byId('stop').hidden = true;
    this.running = undefined;
  }

  private async train(
    name: string,
    recipe: Recipe,
    treebanks: TrainingData,
    run: { readonly signal?: AbortSignal; readonly onProgress: (progress: TrainingProgress) => void },
  ): Promise<TrainedModel> {
    const { train, dev } = treebanks;
    const worker: PlaygroundWorker = new Remote();
    const { paradigm, options } = recipe;
    let las: number | undefined;
    const onProgress = (progress: TrainingProgress) => {
      las = progress.kept?.las ?? progress.dev?.las ?? las;
      run.onProgress(progress);
    };
    try {
      await worker.call('train', [paradigm, train, { dev, options }], { ...run, onProgress });
      const bytes = new Uint8Array(await worker.call<ArrayBuffer>('bytes', []));
      const model = { name, bytes, recipe, las };
      this.models.remove(name);
      this.models.add(model, worker);
      this.heldOut = recipe.isSample ? undefined : dev;
      this.showOwn();
      await this.changed();
      return model;
    } catch (error) {
      worker.end(error);
      throw error;
    }
  }

  private showOwn(): void {
    const { all, kept } = this.own;
    byId('own').hidden = all.length === 0;
    const list = byId('own-models');
    const buttons = ['Download', 'Keep', 'Remove'];
    const items = all.map(({ name, las, bytes }) => {
      const score = las === undefined ? '' : `LAS ${las.toFixed(2)}, `;
      const isKept = kept.has(name);
      const made = buttons.map((text) => {
        const off = isKept && text === 'Keep' ? html` disabled` : undefined;
        return html`<button type="button" data-do="${text}" aria-label="${text} ${name}"${off}>${off ? 'Kept' : text}</button> `;
      });
      return html`<li data-model="${name}"><b><bdi>${name}</bdi></b> <span class="share">${score}${megabytes(bytes.length)} MB</span> ${made}</li>\n`;
    });
    list.innerHTML = html`${items}`.text;
    for (const button of list.querySelectorAll('button'))
      button.addEventListener('click', () => void this.act(button));
  }

  private async act({ dataset, parentElement }: HTMLButtonElement): Promise<void> {
    const model = this.own.all.find(({ name }) => name === parentElement!.dataset.model)!;
    try {
      if (dataset.do === 'Download')
        return saveFile(`${model.name}.model`, 'application/octet-stream', model.bytes);
      if (dataset.do === 'Keep') await this.own.keep(model);
      else this.models.remove(model.name);
    } catch (error) {
      this.say('', (error as Error).message);
    }
    const hadFocus = parentElement!.contains(document.activeElement);
    this.showOwn();
    const again = byId('own-models').querySelector<HTMLElement>(
      `[data-model="${CSS.escape(model.name)}"] button`,
    );
    if (hadFocus) (again ?? byId('start-training')).focus();
    if (dataset.do === 'Remove') await this.changed();
  }

  private say(said: string, problem = ''): void {
    byId('training-status').textContent = said;
    byId('training-problem').textContent = problem;
  }
}

/** Reads the recipe of a model in an address; throws if it is malformed. */
function recipeOf(text: string): readonly [name: string, paradigm: string, options: OptionValues] {
  try {
    const [name, paradigm, options] = JSON.parse(text);
    return [String(name), String(paradigm), options];
  } catch {
    throw new Error('The link is damaged: how a model was trained cannot be read.');
  }
}

function progressText({ unit = 'epoch', epoch, epochs, done, total, dev }: TrainingProgress): string {
  const score = dev === undefined ? '' : `, LAS ${dev.las.toFixed(2)} on held-out data`;
  return `${unit} ${epoch} of ${epochs}, ${Math.round((100 * done) / Math.max(1, total))}%${score}`;
}

/** Plots the held-out score by epoch, as an image, since its style would affect the page. */
function drawCurve(name: string, curve: ReadonlyMap<number, number>): void {
  const points = [...curve].map(([x, y]) => ({ x, y }));
  const title = `${name} on held-out data`;
  const plot = linePlot({ title, xLabel: 'epoch', yLabel: 'LAS', series: [{ name: 'LAS', points }] });
  const last = points.at(-1)!;
  const said = `${title}: LAS ${last.y.toFixed(2)} after epoch ${last.x}`;
  byId('curve').innerHTML =
    html`<img alt="${said}" src="data:image/svg+xml,${encodeURIComponent(plot)}">`.text;
}
