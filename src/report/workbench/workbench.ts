import { byId, startThemeSwitch } from '../html/browser/page.ts';
import type { Backend } from './backend.ts';
import { Correction } from './correction.ts';
import { ExplanationView } from './explanation-view.ts';
import { addressOf, type Link, linkOf, longestInLink } from './link.ts';
import { RequestForm, takeFiles } from './request-form.ts';
import { Clipboard, Results } from './results.ts';

/** The page over a backend: sends its form, shows the answer, and keeps the address up to date. */
export class Workbench {
  readonly form = new RequestForm();
  private readonly clipboard = new Clipboard((said) => this.form.say(said));
  private readonly explanation: ExplanationView;
  private readonly results: Results;
  private readonly correction = new Correction(() => this.offer());
  private running: AbortController | undefined;

  constructor(private readonly backend: Backend) {
    const keepAddress = () => this.keepAddress();
    this.explanation = new ExplanationView(backend, keepAddress);
    const correct = (conllu: string, index: number) => this.correct(conllu, index);
    this.results = new Results(this.clipboard, this.explanation, keepAddress, correct);
  }

  /** Starts the page; what goes wrong is told in it. */
  async start(): Promise<void> {
    startThemeSwitch(byId<HTMLSelectElement>('theme'));
    try {
      await this.offer();
      if (this.backend.folder !== undefined) await this.correction.offer(this.backend.folder);
      this.form.onSubmit(() => void this.parse());
      takeFiles(byId<HTMLTextAreaElement>('words'), byId<HTMLInputElement>('file'), (problem) =>
        this.form.refuse(problem),
      );
      byId('correct-words').addEventListener('click', () =>
        this.correct(byId<HTMLTextAreaElement>('words').value),
      );
      byId('copy-link').addEventListener('click', () => this.copyLink());
      addEventListener('hashchange', () => void this.follow());
      await this.follow();
      await this.correction.openUnsure();
    } catch (error) {
      this.form.refuse((error as Error).message);
    }
  }

  /** Offers the models that there are now. */
  async offer(): Promise<void> {
    const models = await this.backend.models();
    this.form.offer(models);
    this.correction.offerModels(models);
  }

  async parse(at: Pick<Link, 'sentence' | 'explained'> = { sentence: 1 }): Promise<void> {
    const { form } = this;
    const asked = form.asked();
    if (typeof asked === 'string') return form.refuse(asked);
    this.running?.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    form.say('parsing …');
    try {
      const compared = await this.backend.compare(asked, signal, (said) => form.say(said));
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
    if (link === undefined) return;
    const { backend, form } = this;
    try {
      await backend.prepare?.(new URLSearchParams(location.hash.slice(1)), (said) => form.say(said));
      await this.offer();
      const problem = form.fill(link);
      if (problem === undefined) await this.parse(link);
      else form.refuse(problem);
    } catch (error) {
      form.refuse((error as Error).message);
    }
  }

  /** The state of the page; undefined if its text is too long for a link. */
  private shown(): Link | undefined {
    const asked = this.form.last;
    if (asked === undefined || asked.words.length > longestInLink) return undefined;
    return { ...asked, sentence: this.results.number, explained: this.explanation.shown };
  }

  keepAddress(): void {
    const link = this.shown();
    history.replaceState(null, '', link === undefined ? location.pathname : this.addressOf(link));
  }

  private addressOf(link: Link): string {
    return addressOf(link, this.backend.fields?.(link.models));
  }

  private copyLink(): void {
    if (this.shown() === undefined) this.form.say('the text is too long for a link');
    else void this.clipboard.copy(location.href, 'the link');
  }
}
