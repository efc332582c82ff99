import { byId } from '../../src/report/html/browser/page.ts';
import { html } from '../../src/report/html/html.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { type NamedText, sampleTreebanks } from './treebanks.ts';
import type { WorkerModels } from './worker-models.ts';

/** The part of the page that compares models and their vote on held-out trees. */
export class ScoresView {
  /** The models of the comparison that is shown, if it is on the sample: a link cannot restore other data. */
  linked: readonly string[] = [];
  private isRunning = false;

  /**
   * @param heldOut the user's own held-out data; undefined: the held-out part of the sample
   * @param changed called when another comparison is shown
   */
  constructor(
    private readonly models: WorkerModels,
    private readonly heldOut: () => NamedText | undefined,
    private readonly changed: () => void,
  ) {
    byId('compare').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.run(this.boxes.filter(({ checked }) => checked).map(({ value }) => value));
    });
  }

  /** Offers the models that are available now; pipelines are not checked at first, since they may have other labels. */
  async offer(): Promise<void> {
    const before = new Map(this.boxes.map(({ value, checked }) => [value, checked]));
    const labels = (await this.models.models()).map(({ name, kind, about }) => {
      const checked = (before.get(name) ?? kind === 'parser') ? html` checked` : undefined;
      return html`<label><input type="checkbox" value="${name}"${checked}> <bdi>${name}</bdi> <small>${about}</small></label>\n`;
    });
    byId('compared-models').innerHTML = html`<legend>Models</legend>${labels}`.text;
  }

  async run(names: readonly string[]): Promise<void> {
    if (this.isRunning) return;
    if (names.length < 2) return this.say('', 'Choose two models or more.');
    this.isRunning = true;
    try {
      const own = this.heldOut();
      const gold = own ?? (await sampleTreebanks()).dev!;
      this.say('parsing …');
      const { withoutModel } = this.models;
      const sentences = await withoutModel.call<Sentence[]>('sentences', [gold.name, gold.text]);
      const opinions = await this.models.opinions(names, sentences, undefined, (said) => this.say(said));
      this.say('testing …');
      const page = await withoutModel.call<string>('scores', [gold.name, names, opinions]);
      byId('scores').innerHTML = page;
      // Removes links, which lead to the sentences of a report.
      for (const link of byId('scores').querySelectorAll('a')) link.replaceWith(...link.childNodes);
      this.say(`on ${gold.name}, ${sentences.length} sentences, tags as in the file for parsers alone`);
      this.linked = own === undefined ? names : [];
      this.changed();
    } catch (error) {
      this.say('', (error as Error).message);
    }
    this.isRunning = false;
  }

  private get boxes(): HTMLInputElement[] {
    return [...byId('compared-models').querySelectorAll('input')];
  }

  private say(said: string, problem = ''): void {
    byId('compare-status').textContent = said;
    byId('compare-problem').textContent = problem;
  }
}
