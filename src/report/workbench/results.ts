import { byId, pointOutWords, setDisabled, textMeasure } from '../html/browser/page.ts';
import { treePictures, treeTable } from '../html/browser/tree-view.ts';
import { type Html, html } from '../html/html.ts';
import { isRightToLeft } from '../trees/arc-layout.ts';
import type { ShowStatus } from './backend.ts';
import type { ComparedSentence, VotedArc, VotedTree } from './compared-sentence.ts';
import { ComparedView, type NamedTree } from './compared-view.ts';
import type { ExplanationView } from './explanation-view.ts';
import type { LinkedExplanation } from './link.ts';

/** The part of the page that shows the trees of one sentence at a time. */
export class Results {
  private sentences: readonly ComparedSentence[] = [];
  private position = 0;
  private readonly measure = textMeasure(byId('trees'));

  constructor(
    private readonly clipboard: Clipboard,
    private readonly explanation: ExplanationView,
    private readonly moved: () => void,
    /** Opens all trees of a model to correct them, at this sentence. */
    private readonly correct: (conllu: string, index: number) => void,
  ) {
    pointOutWords(byId('trees'));
    // Boxes with the focus can be scrolled by keys.
    for (const id of ['trees', 'ballot-table', 'tree-table']) byId(id).tabIndex = 0;
    byId('previous').addEventListener('click', () => this.step(this.position - 1));
    byId('next').addEventListener('click', () => this.step(this.position + 1));
    const field = byId<HTMLInputElement>('position');
    field.addEventListener('change', () => this.step(Number(field.value) - 1));
  }

  /** Number of the sentence shown, from 1. */
  get number(): number {
    return this.position + 1;
  }

  show(sentences: readonly ComparedSentence[], number: number, explained?: LinkedExplanation): void {
    this.sentences = sentences;
    byId('results').hidden = sentences.length === 0;
    const tree = this.go(number - 1)?.trees.find(({ name, isVote }) => !isVote && name === explained?.model);
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
    setDisabled([
      [byId('previous'), this.position === 0],
      [byId('next'), this.position >= last],
    ]);
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
    byId('sentence-text').textContent = sentence.text;
    byId('sentence-text').dir = direction;
    byId('notices').innerHTML = html`${noticesOn(sentence)}`.text;
    byId('legend').textContent = view.legend;
    const shown = view.shown(this.number);
    const others = trees.slice(1).map(({ name }) => name);
    const drawn = [...trees.keys()].map((tree) => tree - 1);
    const box = byId('trees');
    const { measure } = this;
    const pictures = treePictures(shown, { parsers: others, drawn, matching: [], measure, wording });
    box.innerHTML = html`${pictures}`.text;
    box.dir = direction;
    box.scrollLeft = 0;
    for (const [i, caption] of [...box.querySelectorAll('figcaption')].entries())
      caption.append(...this.buttons(view, trees[i]));
    byId('tree-table').innerHTML = treeTable(shown, others, [], wording).text;
    byId('ballots').hidden = sentence.vote === undefined;
    byId('ballot-table').innerHTML = sentence.vote ? ballotTable(sentence, sentence.vote).text : '';
  }

  private buttons(view: ComparedView, tree: NamedTree): HTMLButtonElement[] {
    const copy = (format: string, text: () => string) =>
      button(`Copy ${format}`, `of ${tree.name}`, () =>
        this.clipboard.copy(text(), `${format} of ${tree.name}`),
      );
    const copying = [
      button('Correct', `the trees of ${tree.name}`, async () =>
        this.correct(this.treesOf(tree.name), this.position),
      ),
      copy('CoNLL-U', () => tree.conllu),
      copy('SVG', () => view.svg(tree)),
    ];
    if (tree.isVote) return copying;
    return [button('Explain', tree.name, () => this.explanation.open(tree)), ...copying];
  }

  private treesOf(name: string): string {
    const trees = this.sentences.map((sentence) => new ComparedView(sentence).trees);
    return trees.map((each) => each.find((tree) => tree.name === name)!.conllu).join('');
  }
}

/** The notices on the trees, each with the models that it is about. */
function noticesOn({ trees }: ComparedSentence): Html[] {
  const all = new Set(trees.flatMap(({ notices = [] }) => notices));
  return [...all].map((notice) => {
    const models = trees.filter(({ notices }) => notices?.includes(notice)).map(({ model }) => model);
    return html`<p class="wrong">${models.join(', ')}: ${notice}</p>`;
  });
}

function ballotTable(sentence: ComparedSentence, vote: VotedTree): Html {
  const rows = vote.ballots.flatMap((arcs, i) => (arcs.length > 1 ? [ballotRow(sentence, vote, i)] : []));
  if (rows.length === 0) return html`<p class="note">All models agree on every word.</p>`;
  return html`<table>
<caption>Words on which the models differ</caption>
<thead><tr><th scope="col" class="figure">No.</th><th scope="col">Word</th><th scope="col">Elected</th><th scope="col">Votes</th></tr></thead>
<tbody>${rows}</tbody>
</table>`;
}

function ballotRow(sentence: ComparedSentence, { heads, labels, ballots }: VotedTree, i: number): Html {
  const { forms, trees } = sentence;
  const votes = ballots[i].map((arc) => html`<li>${voted(forms, arc, trees.length)}</li>`);
  return html`<tr><td class="figure">${i + 1}</td><th scope="row"><bdi lang="">${forms[i]}</bdi></th>
<td>${arcText(forms, heads[i], labels[i])}</td><td><ul class="votes">${votes}</ul></td></tr>\n`;
}

function voted(forms: readonly string[], { head, label, models }: VotedArc, all: number): Html {
  return html`${arcText(forms, head, label)} <span class="share">${models.length} of ${all}: ${models.join(', ')}</span>`;
}

function arcText(forms: readonly string[], head: number, label: string): Html {
  const where = head === 0 ? 'root of the sentence' : html`<bdi lang="">${forms[head - 1]}</bdi> (${head})`;
  return html`${label} ← ${where}`;
}

/** A button; `of` tells buttons with the same text apart for screen readers. */
function button(text: string, of: string, pressed: () => Promise<void>): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.setAttribute('aria-label', `${text} ${of}`);
  made.addEventListener('click', () => void pressed());
  return made;
}

/** Copies text and reports whether that worked. */
export class Clipboard {
  constructor(private readonly say: ShowStatus) {}

  async copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say(`${what} is copied`);
    } catch {
      // Copies by selection: pages over plain HTTP from another machine have no clipboard.
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      const isCopied = document.execCommand('copy');
      area.remove();
      this.say(isCopied ? `${what} is copied` : `${what} could not be copied`);
    }
  }
}
