import { byId, pointOutWords, textMeasure } from '../../../src/report/html/browser/page.ts';
import { treeTable } from '../../../src/report/html/browser/tree-table.ts';
import { treePictures } from '../../../src/report/html/browser/tree-view.ts';
import { html } from '../../../src/report/html/html.ts';
import { isRightToLeft } from '../../../src/report/trees/arc-layout.ts';
import type { ComparedSentence } from '../../tasks/compared-sentence.ts';
import { ballotTable } from './ballots.ts';
import { button } from './button.ts';
import type { Clipboard } from './clipboard.ts';
import { ComparedView, type NamedTree } from './compared-view.ts';
import type { ExplanationView } from './explanation-view.ts';
import type { LinkedExplanation } from './link.ts';

/** The sentences that were parsed, one at a time: its trees above each other, the vote's ballots, and all as a table. */
export class Results {
  private sentences: readonly ComparedSentence[] = [];
  private position = 0;
  private readonly measure = textMeasure(byId('trees'));

  constructor(
    private readonly clipboard: Clipboard,
    private readonly explanation: ExplanationView,
    /** Told when another sentence is shown. */
    private readonly moved: () => void,
  ) {
    pointOutWords(byId('trees'));
    // What can be scrolled can be scrolled by keys, too.
    for (const id of ['trees', 'ballot-table', 'tree-table']) byId(id).tabIndex = 0;
    byId('previous').addEventListener('click', () => this.step(this.position - 1));
    byId('next').addEventListener('click', () => this.step(this.position + 1));
    const field = byId<HTMLInputElement>('position');
    field.addEventListener('change', () => this.step(Number(field.value) - 1));
  }

  /** Of the sentence that is shown, from 1. */
  get number(): number {
    return this.position + 1;
  }

  /** @param explained the model that is to be explained, from one of its steps on */
  show(sentences: readonly ComparedSentence[], number: number, explained?: LinkedExplanation): void {
    this.sentences = sentences;
    byId('results').hidden = sentences.length === 0;
    const view = this.go(number - 1);
    const tree = view?.trees.find(({ name, isVote }) => !isVote && name === explained?.model);
    if (tree !== undefined) void this.explanation.open(tree, explained?.step);
  }

  private step(position: number): void {
    this.go(position);
    this.moved();
  }

  private go(position: number): ComparedView | undefined {
    const last = this.sentences.length - 1;
    this.position = Math.max(0, Math.min(Math.trunc(position) || 0, last));
    byId<HTMLInputElement>('position').value = String(this.number);
    byId<HTMLInputElement>('position').max = String(last + 1);
    byId('count').textContent = `of ${last + 1}`;
    byId<HTMLButtonElement>('previous').disabled = this.position === 0;
    byId<HTMLButtonElement>('next').disabled = this.position >= last;
    const sentence = this.sentences[this.position];
    this.explanation.close();
    if (sentence === undefined) return undefined;
    const view = new ComparedView(sentence);
    this.draw(view);
    return view;
  }

  private draw(view: ComparedView): void {
    const { sentence, forms, trees, wording } = view;
    const direction = isRightToLeft(forms) ? 'rtl' : 'ltr';
    byId('sentence-title').textContent = `Sentence ${this.number}, ${sentence.forms.length} words`;
    byId('sentence-text').textContent = sentence.forms.join(' ');
    byId('sentence-text').dir = direction;
    byId('legend').textContent = view.legend;
    const shown = view.shown(this.number);
    const others = trees.slice(1).map(({ name }) => name);
    const drawn = [...trees.keys()].map((tree) => tree - 1);
    const box = byId('trees');
    const pictures = treePictures(shown, {
      parsers: others,
      drawn,
      matching: [],
      measure: this.measure,
      wording,
    });
    box.innerHTML = html`${pictures}`.text;
    box.dir = direction;
    box.scrollLeft = 0;
    for (const [i, caption] of [...box.querySelectorAll('figcaption')].entries()) {
      caption.append(...this.buttons(view, trees[i]));
    }
    byId('tree-table').innerHTML = treeTable(shown, others, [], wording).text;
    byId('ballots').hidden = sentence.vote === undefined;
    byId('ballot-table').innerHTML = sentence.vote ? ballotTable(sentence, sentence.vote).text : '';
  }

  private buttons(view: ComparedView, tree: NamedTree): HTMLButtonElement[] {
    const copy = (format: string, text: () => string) =>
      button(`Copy ${format}`, `of ${tree.name}`, () =>
        this.clipboard.copy(text(), `${format} of ${tree.name}`),
      );
    const copying = [copy('CoNLL-U', () => tree.conllu), copy('SVG', () => view.svg(tree))];
    if (tree.isVote) return copying;
    return [button('Explain', tree.name, () => this.explanation.open(tree)), ...copying];
  }
}
