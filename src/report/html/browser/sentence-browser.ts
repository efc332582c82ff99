import { UsageError } from '../../../errors.ts';
import { count, plural } from '../../tables/table.ts';
import { directionOf } from '../../trees/arc-layout.ts';
import { html } from '../html.ts';
import type { SentenceData, ShownSentence } from '../sentences/sentence-data.ts';
import { numberOf, unpackSentence } from '../sentences/sentence-data.ts';
import { foldSentence, longSentence } from './fold.ts';
import { byId, pointOutWords, showPosition, textMeasure } from './page.ts';
import { matchingTokens, noFilter, prepareFilter, type SentenceFilter } from './sentence-filter.ts';
import { saveTrees, startTableTools } from './tools.ts';
import { againstGold, phrasePictures, treePictures, treeTable, wrongTokens } from './tree-view.ts';

/** A sentence that the filter selects, with the words that match. */
type Match = { readonly index: number; readonly tokens: readonly number[] };
const filterNames = Object.keys(noFilter) as (keyof SentenceFilter)[];
const fieldNames = [...filterNames, 'order'] as const;

/** Filters the sentences of a report and shows their trees one at a time. */
export class SentenceBrowser {
  private readonly measure = textMeasure(byId('trees'));
  private readonly unpacked: ShownSentence[] = [];
  private matches: readonly Match[] = [];
  private problem = '';
  private position = 0;
  /** Whether the user has opened the table. */
  private isTableWanted = false;
  /** Whether the table is open because the sentence is long. */
  private isTableOpened = false;

  constructor(
    private readonly data: SentenceData,
    private readonly form: HTMLFormElement,
    private readonly changed: () => void,
  ) {
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', () => {
      this.search();
      this.go(0);
      changed();
    });
    // The elements for phrases are only on pages with phrases.
    const on = (event: string, id: string, listener: () => void) =>
      document.getElementById(id)?.addEventListener(event, listener);
    const title = (more = '') => `${byId('sentence-title').textContent}${more}`;
    const position = byId<HTMLInputElement>('position');
    const details = byId<HTMLDetailsElement>('table-details');
    on('click', 'all', () => {
      this.open(new URLSearchParams());
      changed();
    });
    on('change', 'position', () => this.step(Number(position.value) - 1 - this.position));
    on('click', 'previous', () => this.step(-1));
    on('click', 'next', () => this.step(1));
    for (const id of ['drawn', 'fold']) on('change', id, () => this.show());
    on('click', 'save-trees', () => saveTrees(byId('trees'), title()));
    on('click', 'save-phrases', () => saveTrees(byId('phrases'), title(' phrases')));
    on('toggle', 'table-details', () => {
      if (!this.isTableOpened) this.isTableWanted = details.open;
    });
    pointOutWords(byId('trees'));
  }

  /** Shows the sentences that an address selects (`sentence=7` or filter fields); none if a value is invalid. */
  open(address: URLSearchParams): void {
    this.form.reset();
    const refused = fieldNames.find((name) => !this.fill(name, address.get(name) ?? ''));
    this.search();
    const more = byId('more').querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]');
    byId('more').toggleAttribute(
      'open',
      [...more].some(({ value }) => value !== ''),
    );
    const number = address.get('sentence');
    const position = this.matches.findIndex(({ index }) => String(numberOf(this.data, index)) === number);
    if (refused !== undefined) this.showNone(`Nothing here has ${refused} = ${address.get(refused)}.`);
    else if (number === null || position >= 0) this.go(position);
    else this.showNone(`There is no sentence ${number}${this.scope()}.`);
  }

  address(): URLSearchParams {
    const fields = fieldNames.map((name) => [name, this.valueOf(name)]);
    const address = new URLSearchParams(fields.filter(([, value]) => value !== ''));
    const shown = this.matches[this.position];
    if (shown !== undefined) address.set('sentence', String(numberOf(this.data, shown.index)));
    return address;
  }

  step(by: number): void {
    this.go(this.position + by);
    this.changed();
  }

  /** Sets a field of the form; returns false if it does not accept the value. */
  private fill(name: string, value: string): boolean {
    const field = this.field(name);
    if (field !== null) field.value = value;
    return this.valueOf(name) === value;
  }

  /** What a search covers, for messages. */
  private scope(): string {
    const { sentences, total } = this.data;
    if (this.matches.length < sentences.length) return ' among those found';
    return sentences.length < total ? ' on this page' : '';
  }

  private showNone(message: string): void {
    this.matches = [];
    this.go(0);
    byId('nothing').textContent = message;
  }

  private go(position: number): void {
    this.position = Math.max(0, Math.min(Math.trunc(position), this.matches.length - 1));
    this.show();
  }

  private search(): void {
    const values = filterNames.map((name) => [name, this.valueOf(name).trim()]);
    const asked = values.some(([, value]) => value !== '');
    this.problem = '';
    try {
      const prepared = prepareFilter(Object.fromEntries(values) as SentenceFilter, this.data.parsers);
      const matches: Match[] = [];
      for (let index = 0; index < this.data.sentences.length; index++) {
        const tokens = asked ? matchingTokens(this.sentence(index), prepared) : [];
        if (tokens !== undefined) matches.push({ index, tokens });
      }
      this.matches = this.valueOf('order') === 'errors' ? this.byErrors(matches) : matches;
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof UsageError)) throw error;
      this.matches = [];
      this.problem = `${error.message}.`;
    }
  }

  private sentence(index: number): ShownSentence {
    this.unpacked[index] ??= unpackSentence(this.data, index);
    return this.unpacked[index];
  }

  /** Sorts by the number of wrong arcs of all parsers together, then by position. */
  private byErrors(matches: readonly Match[]): Match[] {
    const errors = matches.map(({ index }) => {
      const sentence = this.sentence(index);
      return sentence.trees.reduce((sum, _, parser) => sum + wrongTokens(sentence, parser).length, 0);
    });
    return [...matches.keys()].sort((i, j) => errors[j] - errors[i] || i - j).map((i) => matches[i]);
  }

  private field(name: string): HTMLInputElement | HTMLSelectElement | null {
    return this.form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null;
  }

  private valueOf(name: string): string {
    return this.field(name)?.value ?? '';
  }

  private show(): void {
    const { matches, position } = this;
    const found = matches.length;
    const all = this.data.sentences.length;
    byId('count').textContent =
      found === all ? plural(all, 'sentence') : `${count(found)} found, of ${plural(all, 'sentence')}`;
    byId('shown').hidden = found === 0;
    byId('nothing').hidden = found > 0;
    byId('nothing').textContent = this.problem || 'No sentence meets all conditions.';
    showPosition(position, found);
    if (found > 0) this.showSentence(matches[position]);
  }

  private showSentence({ index, tokens }: Match): void {
    const sentence = this.sentence(index);
    const { number, id, text, forms } = sentence;
    const words = forms.slice(1);
    const direction = directionOf(forms);
    byId('sentence-title').textContent = `Sentence ${number}, ${plural(words.length, 'word')}`;
    byId('sentence-id').textContent = id;
    byId('sentence-text').textContent = text ?? words.join(' ');
    byId('sentence-text').dir = direction;
    const boxes = document.querySelectorAll<HTMLInputElement>('#drawn input:checked');
    const drawn = Array.from(boxes, ({ value }) => Number(value));
    const isFolding = words.length > longSentence && byId<HTMLInputElement>('fold').checked;
    const { parsers } = this.data;
    const folded = isFolding ? foldSentence(sentence, drawn, tokens) : undefined;
    const matching = folded?.matching ?? tokens;
    const view = { parsers, drawn, matching, measure: this.measure, whole: sentence };
    const trees = byId('trees');
    trees.innerHTML = html`${treePictures(folded?.sentence ?? sentence, view)}`.text;
    const [first] = trees.querySelectorAll<HTMLElement>('.tree');
    const isReference = drawn[0] === -1 && drawn.length > 1;
    first?.classList.toggle('reference', isReference && first.offsetHeight < innerHeight * mostForReference);
    byId('folded').hidden = folded === undefined;
    byId('folded').textContent =
      `${folded?.hidden} words are folded into […], where all trees shown are the same.`;
    scrollTo(trees, trees.querySelector('.match'));
    const phrases = document.getElementById('phrases');
    if (phrases !== null) phrases.innerHTML = html`${phrasePictures(sentence, parsers, drawn)}`.text;
    trees.dir = direction;
    this.showTable(sentence, tokens, isFolding);
  }

  /** Shows the trees as a table, open for long sentences; with only the wrong words if the sentence is folded. */
  private showTable(sentence: ShownSentence, tokens: readonly number[], isFolding: boolean): void {
    const details = byId<HTMLDetailsElement>('table-details');
    const isLong = sentence.forms.length > tableOpensAt;
    if (isLong !== this.isTableOpened) details.open = isLong || this.isTableWanted;
    this.isTableOpened = isLong;
    const wrong = isFolding ? sentence.trees.flatMap((_, parser) => wrongTokens(sentence, parser)) : [];
    const listed = new Set(isFolding ? [...wrong, ...tokens] : []);
    const shown = listed.size > 0 ? [...listed].sort((a, b) => a - b) : undefined;
    const table = byId('tree-table');
    const content = treeTable(sentence, this.data.parsers, tokens, againstGold, shown);
    table.innerHTML = html`<div class="scroll" tabindex="0">${content}</div>`.text;
    startTableTools(table);
  }
}

/** Number of words from which the table is open. */
const tableOpensAt = 60;
/** The gold tree stays in view if it takes less than this share of the window's height. */
const mostForReference = 0.5;

function scrollTo(box: HTMLElement, target: Element | null): void {
  box.scrollLeft = 0;
  if (target === null) return;
  const [{ left }, { left: boxLeft, width }] = [target.getBoundingClientRect(), box.getBoundingClientRect()];
  box.scrollLeft = left - boxLeft - width / 2;
}
