import { byId, startThemeSwitch } from '../html/browser/page.ts';
import { readChosenFile } from '../html/browser/tools.ts';
import { html } from '../html/html.ts';
import type { Backend, CompareRequest, OfferedModel } from './backend.ts';
import { Correction, type Notices } from './correction.ts';
import { ExplanationView } from './explanation-view.ts';
import { addressOf, type Link, linkOf, longestInLink } from './link.ts';
import { Clipboard, Results } from './results.ts';

/** The page of the service and the playground: parses the form's text, shows the trees, and keeps the address up to date. */
export class Workbench {
  readonly form = new RequestForm();
  private readonly clipboard = new Clipboard((status) => this.form.say(status));
  private readonly explanation: ExplanationView;
  private readonly results: Results;
  private readonly correction = new Correction(this.form, () => this.offer());
  private running: AbortController | undefined;
  /** The request whose trees are shown. */
  private answered: CompareRequest | undefined;

  constructor(private readonly backend: Backend) {
    const keepAddress = () => this.keepAddress();
    this.explanation = new ExplanationView(backend, keepAddress);
    const correct = (conllu: string, index: number) => this.correct(conllu, index);
    this.results = new Results(this.clipboard, this.explanation, keepAddress, correct);
  }

  /** Starts the page; errors are shown in it. */
  async start(): Promise<void> {
    startThemeSwitch(byId<HTMLSelectElement>('theme'));
    this.form.onSubmit(() => void this.submit());
    takeFiles(byId('words'), byId('file'), this.form);
    byId('correct-words').addEventListener('click', () =>
      this.correct(byId<HTMLTextAreaElement>('words').value),
    );
    byId('copy-link').addEventListener('click', () => this.copyLink());
    addEventListener('hashchange', () => void this.follow());
    try {
      await this.offer();
      await this.follow();
      await this.correction.openUnsure();
    } catch (error) {
      this.form.refuse((error as Error).message);
    }
  }

  async offer(): Promise<void> {
    const models = await this.backend.models();
    this.form.offer(models);
    this.correction.offerModels(models);
    if (this.backend.folder !== undefined) await this.correction.offer(this.backend.folder);
  }

  /** Parses what the form asks for; first offers models again if that has failed. */
  async submit(): Promise<void> {
    try {
      if (this.form.isEmpty) await this.offer();
      await this.parse();
    } catch (error) {
      this.form.refuse((error as Error).message);
    }
  }

  private async parse(at: Pick<Link, 'sentence' | 'explained'> = { sentence: 1 }): Promise<void> {
    const { form } = this;
    const asked = form.asked();
    if (typeof asked === 'string') return form.refuse(asked);
    this.running?.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    form.say('parsing …');
    try {
      const say = (status: string) => {
        if (!signal.aborted) form.say(status);
      };
      const compared = await this.backend.compare(asked, signal, say);
      signal.throwIfAborted();
      this.answered = asked;
      this.results.show(compared, at.sentence, at.explained);
      form.say('');
      this.keepAddress();
    } catch (error) {
      if (!signal.aborted) form.refuse((error as Error).message);
    }
  }

  private correct(conllu: string, index = 0): void {
    try {
      this.correction.open(conllu, index);
      this.form.say('');
    } catch (error) {
      this.form.refuse((error as Error).message);
    }
  }

  private async follow(): Promise<void> {
    const link = linkOf(location.hash);
    // A link to a part of the page, such as `#results`: the state takes its place again.
    if (link === undefined) return this.keepAddress();
    const { backend, form } = this;
    const fields = new URLSearchParams(location.hash.slice(1));
    try {
      await backend.prepare?.(fields, (status) => form.say(status));
      await this.offer();
      const problem = form.fill(link);
      if (problem === undefined) await this.parse(link);
      else form.refuse(problem);
      backend.followed?.(fields);
    } catch (error) {
      form.refuse((error as Error).message);
    }
  }

  /** The state of the page; undefined if its text is too long for a link. */
  private shown(): Link | undefined {
    const { answered } = this;
    if (answered === undefined || answered.words.length > longestInLink) return undefined;
    return { ...answered, sentence: this.results.number, explained: this.explanation.shown };
  }

  keepAddress(): void {
    const link = this.shown();
    const address = link && addressOf(link, this.backend.fields?.(link.models));
    history.replaceState(null, '', address ?? location.pathname);
  }

  private copyLink(): void {
    this.keepAddress();
    if (this.shown() === undefined) this.form.say('the text is too long for a link');
    else void this.clipboard.copy(location.href, 'the link');
  }
}

/** The form with the text to parse and the models. */
class RequestForm {
  private readonly words = byId<HTMLTextAreaElement>('words');
  private readonly models = byId('models');
  private readonly vote = byId<HTMLInputElement>('vote');

  /** Whether no model is offered. */
  get isEmpty(): boolean {
    return this.boxes.length === 0;
  }

  /** Offers the models that parse, and a vote if there are several. Models offered before stay checked or unchecked. */
  offer(models: readonly OfferedModel[]): void {
    const before = new Map(this.boxes.map(({ value, checked }) => [value, checked]));
    const labels = models
      .filter(({ abilities }) => abilities.includes('parser'))
      .map(({ name, kind, about, isChosen = kind !== 'vote' }) => {
        const checked = (before.get(name) ?? isChosen) ? html` checked` : undefined;
        const small = about === undefined ? undefined : html` <small>${about}</small>`;
        return html`<label><input type="checkbox" name="model" value="${name}"${checked}> <bdi>${name}</bdi>${small}</label>\n`;
      });
    for (const label of this.models.querySelectorAll('label')) label.remove();
    this.models.insertAdjacentHTML('beforeend', html`${labels}`.text);
    this.vote.closest('fieldset')!.hidden = labels.length < 2;
  }

  onSubmit(submit: () => void): void {
    byId('request').addEventListener('submit', (event) => {
      event.preventDefault();
      submit();
    });
    this.words.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      submit();
    });
  }

  /** Returns the request that the form makes, or a message if something is missing. */
  asked(): CompareRequest | string {
    const words = this.words.value;
    const models = this.boxes.filter(({ checked }) => checked).map(({ value }) => value);
    if (words.trim() === '') return 'Nothing to parse: type or paste a text.';
    if (models.length === 0) return 'Choose a model.';
    return { words, models, vote: this.vote.checked };
  }

  /** Sets the fields; returns a message for an unknown model. */
  fill({ words, models, vote }: CompareRequest): string | undefined {
    this.words.value = words;
    this.vote.checked = vote;
    if (models.length === 0) return undefined;
    const missing = models.find((name) => !this.boxes.some(({ value }) => value === name));
    if (missing !== undefined) return `There is no model ${missing} here.`;
    for (const box of this.boxes) box.checked = models.includes(box.value);
    return undefined;
  }

  say(status: string): void {
    byId('problem').textContent = '';
    byId('status').textContent = status;
  }

  refuse(problem: string): void {
    byId('status').textContent = '';
    byId('problem').textContent = problem;
  }

  private get boxes(): HTMLInputElement[] {
    return [...this.models.querySelectorAll('input')];
  }
}

/** Maximum size of a file in bytes. */
const LARGEST = 4 * 2 ** 20;

/** Lets users choose a file, or drop one into the text area, to fill it. */
function takeFiles(area: HTMLTextAreaElement, chooser: HTMLInputElement, notices: Notices): void {
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > LARGEST) return notices.refuse(`${file.name} is too large for a page`);
    try {
      area.value = await readChosenFile(file);
      area.focus();
      notices.say('');
    } catch (error) {
      notices.refuse((error as Error).message);
    }
  };
  chooser.addEventListener('change', () => void take(chooser.files?.[0]));
  // Without a value, a choice of the same file is a change, too.
  chooser.addEventListener('click', () => {
    chooser.value = '';
  });
  const over = (isOver: boolean) => area.classList.toggle('over', isOver);
  area.addEventListener('dragover', (event) => {
    event.preventDefault();
    over(true);
  });
  area.addEventListener('dragleave', () => over(false));
  area.addEventListener('drop', (event) => {
    over(false);
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    void take(file);
  });
}
