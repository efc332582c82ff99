/// <reference lib="dom" />

import { isRightToLeft } from '../../text-direction.ts';
import { html } from '../html.ts';
import { type SentenceData, type ShownSentence, unpackSentence } from '../sentence-data.ts';
import { matchingTokens, noFilter, type SentenceFilter } from './sentence-filter.ts';
import { treeTable } from './tree-table.ts';
import { type MeasureText, treePictures, wrongTokens } from './tree-view.ts';

interface Match {
  /** Of the sentence in the data. */
  readonly index: number;
  readonly tokens: readonly number[];
}

const filterNames = Object.keys(noFilter) as (keyof SentenceFilter)[];

/** The browser of sentences: what its form asks for decides which are shown, in which order, and what is drawn. */
export class SentenceBrowser {
  private readonly measure = textMeasure();
  /** The sentences that have been needed so far. */
  private readonly unpacked: ShownSentence[] = [];
  private matches: readonly Match[] = [];
  /** Index in `matches`. */
  private position = 0;

  constructor(
    private readonly data: SentenceData,
    private readonly form: HTMLFormElement,
  ) {
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', () => this.search());
    element('all').addEventListener('click', () => this.open(new URLSearchParams()));
    element('position').addEventListener('change', () => this.go(Number(field('position').value) - 1));
    element('previous').addEventListener('click', () => this.step(-1));
    element('next').addEventListener('click', () => this.step(1));
    element('drawn').addEventListener('change', () => this.show());
    element('trees').addEventListener('pointerover', (event) => pointOut(event.target as Element));
  }

  /** Shows the sentences that the page's address asks for: `#sentence=7`, or the fields of a filter. */
  open(address: URLSearchParams): void {
    this.form.reset();
    for (const [name, value] of address) {
      if (name in noFilter || name === 'order') this.field(name).value = value;
    }
    this.search();
    const number = Number(address.get('sentence'));
    if (number > 0) this.go(this.matches.findIndex(({ index }) => index === number - 1));
  }

  /** Shows the sentence so many places after the one shown, where there is one. */
  step(by: number): void {
    this.go(this.position + by);
  }

  private go(position: number): void {
    this.position = Math.max(0, Math.min(Math.trunc(position), this.matches.length - 1));
    this.show();
  }

  private search(): void {
    const values = filterNames.map((name) => [name, this.field(name).value.trim()]);
    const filter = Object.fromEntries(values) as SentenceFilter;
    const asked = values.some(([, value]) => value !== '');
    const matches: Match[] = [];
    for (let index = 0; index < this.data.sentences.length; index++) {
      const tokens = asked ? matchingTokens(this.sentence(index), filter) : [];
      if (tokens !== undefined) matches.push({ index, tokens });
    }
    this.matches = this.field('order').value === 'errors' ? this.byErrors(matches) : matches;
    this.go(0);
  }

  private sentence(index: number): ShownSentence {
    this.unpacked[index] ??= unpackSentence(this.data, index);
    return this.unpacked[index];
  }

  /** Most wrong arcs of all parsers together first, else in the order of the treebank. */
  private byErrors(matches: readonly Match[]): Match[] {
    const errors = matches.map(({ index }) => {
      const sentence = this.sentence(index);
      return sentence.trees.reduce((sum, _, parser) => sum + wrongTokens(sentence, parser).length, 0);
    });
    const order = [...matches.keys()].sort((i, j) => errors[j] - errors[i] || i - j);
    return order.map((i) => matches[i]);
  }

  private field(name: string): HTMLInputElement | HTMLSelectElement {
    return this.form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
  }

  private show(): void {
    const { matches, position } = this;
    const count = matches.length;
    const all = this.data.sentences.length;
    element('count').textContent =
      count === all ? plural(all) : `${count.toLocaleString('en-US')} found, of ${plural(all)}`;
    element('shown').hidden = count === 0;
    element('nothing').hidden = count > 0;
    field('position').value = String(count === 0 ? 0 : position + 1);
    field('position').max = String(count);
    disable('previous', position === 0);
    disable('next', position >= count - 1);
    if (count > 0) this.showSentence(matches[position]);
  }

  private showSentence({ index, tokens }: Match): void {
    const sentence = this.sentence(index);
    const { parsers } = this.data;
    const { number, id, forms } = sentence;
    const words = forms.slice(1);
    const direction = isRightToLeft(forms) ? 'rtl' : 'ltr';
    element('sentence-title').textContent = `Sentence ${number}, ${words.length} words`;
    element('sentence-id').textContent = id;
    element('sentence-text').textContent = words.join(' ');
    element('sentence-text').dir = direction;
    const drawn = [...document.querySelectorAll<HTMLInputElement>('#drawn input:checked')].map((box) =>
      Number(box.value),
    );
    const trees = element('trees');
    const view = { parsers, drawn, matching: tokens, measure: this.measure };
    trees.innerHTML = html`${treePictures(sentence, view)}`.text;
    trees.dir = direction;
    scrollTo(trees, trees.querySelector('.match'));
    element('tree-table').innerHTML = treeTable(sentence, parsers, tokens).text;
  }
}

/** Points out a word's place and arc in all trees, while the pointer is at one of them. */
function pointOut(target: Element): void {
  const token = target.closest<SVGElement>('[data-token]')?.dataset.token;
  for (const group of document.querySelectorAll<SVGElement>('#trees [data-token]')) {
    group.classList.toggle('here', group.dataset.token === token);
  }
}

/** Scrolls a box sideways to its middle on one of its elements, or to its beginning. */
function scrollTo(box: HTMLElement, target: Element | null): void {
  box.scrollLeft = 0;
  if (target === null) return;
  const [{ left }, { left: boxLeft, width }] = [target.getBoundingClientRect(), box.getBoundingClientRect()];
  box.scrollLeft = left - boxLeft - width / 2;
}

function plural(sentences: number): string {
  return `${sentences.toLocaleString('en-US')} sentence${sentences === 1 ? '' : 's'}`;
}

function textMeasure(): MeasureText {
  const context = document.createElement('canvas').getContext('2d')!;
  const family = getComputedStyle(element('trees')).fontFamily;
  return (text, size) => {
    context.font = `${size}px ${family}`;
    return context.measureText(text).width;
  };
}

function element(id: string): HTMLElement {
  return document.getElementById(id)!;
}

function field(id: string): HTMLInputElement {
  return element(id) as HTMLInputElement;
}

function disable(id: string, disabled: boolean): void {
  (element(id) as HTMLButtonElement).disabled = disabled;
}
