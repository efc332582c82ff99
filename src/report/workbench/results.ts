import { type DependencyTree, sentenceOf } from '../../treebank/sentence.ts';
import { byId, makeButton, pointOutWords, showPosition, textMeasure } from '../html/browser/page.ts';
import { treePictures, treeTable, type Wording } from '../html/browser/tree-view.ts';
import { type Html, html } from '../html/html.ts';
import type { ShownSentence } from '../html/sentences/sentence-data.ts';
import { plural } from '../tables/table.ts';
import { directionOf } from '../trees/arc-layout.ts';
import { treeToSvg } from '../trees/tree-svg.ts';
import type { ComparedSentence, ShowStatus, TreeLists, VotedTree } from './backend.ts';
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
    const trees = this.go(number - 1);
    const tree = trees.find(({ name, isVote }) => !isVote && name === explained?.model);
    if (tree !== undefined) void this.explanation.open(tree, explained?.step);
  }

  private step(position: number): void {
    this.go(position);
    this.moved();
  }

  private go(position: number): readonly NamedTree[] {
    const last = this.sentences.length - 1;
    this.position = Math.max(0, Math.min(Math.trunc(position) || 0, last));
    showPosition(this.position, last + 1);
    byId('count').textContent = `of ${last + 1}`;
    const sentence = this.sentences[this.position];
    this.explanation.close();
    if (sentence === undefined) return [];
    const trees = namedTrees(sentence);
    this.draw(sentence, trees);
    return trees;
  }

  private draw(sentence: ComparedSentence, trees: readonly NamedTree[]): void {
    const wording = wordingAgainst(trees[0].name);
    const direction = directionOf(sentence.forms);
    byId('sentence-title').textContent = `Sentence ${this.number}, ${plural(sentence.forms.length, 'word')}`;
    byId('sentence-text').textContent = sentence.text;
    byId('sentence-text').dir = direction;
    byId('notices').innerHTML = html`${noticesOn(sentence)}`.text;
    byId('legend').textContent = legendOf(trees, wording);
    const shown = shownSentence(sentence, trees, this.number);
    const others = trees.slice(1).map(({ name }) => name);
    const drawn = [...trees.keys()].map((tree) => tree - 1);
    const box = byId('trees');
    const { measure } = this;
    const pictures = treePictures(shown, { parsers: others, drawn, matching: [], measure, wording });
    box.innerHTML = html`${pictures}`.text;
    box.dir = direction;
    box.scrollLeft = 0;
    for (const [i, caption] of [...box.querySelectorAll('figcaption')].entries())
      caption.append(...this.buttons(shown, trees[i]));
    byId('tree-table').innerHTML = treeTable(shown, others, [], wording).text;
    byId('ballots').hidden = sentence.vote === undefined;
    byId('ballot-table').innerHTML = sentence.vote ? ballotTable(sentence, sentence.vote).text : '';
  }

  private buttons(shown: ShownSentence, tree: NamedTree): HTMLButtonElement[] {
    const { name } = tree;
    const button = (text: string, object: string, pressed: () => void) =>
      makeButton(text, `${text} ${object}`, pressed);
    const copy = (format: string, text: () => string) =>
      button(`Copy ${format}`, `of ${name}`, () => void this.clipboard.copy(text(), `${format} of ${name}`));
    const copying = [
      button('Correct', `the trees of ${name}`, () => this.correct(this.treesOf(name), this.position)),
      copy('CoNLL-U', () => tree.conllu),
      copy('SVG', () => svgOf(shown, tree)),
    ];
    if (tree.isVote) return copying;
    return [button('Explain', name, () => void this.explanation.open(tree)), ...copying];
  }

  private treesOf(name: string): string {
    const trees = this.sentences.map((each) => namedTrees(each).find((tree) => tree.name === name)!);
    return trees.map(({ conllu }) => conllu).join('');
  }
}

/** A tree of a model, or the vote. */
interface NamedTree extends Pick<TreeLists, 'conllu' | 'confidences'> {
  readonly name: string;
  readonly tree: DependencyTree;
  readonly isVote: boolean;
}

/** The trees of a sentence; all are compared with the first: the vote, if there is one. */
function namedTrees({ trees, vote }: ComparedSentence): NamedTree[] {
  const named = (name: string, { heads, labels, conllu, confidences }: TreeLists, isVote: boolean) => {
    const tree = { heads: Int32Array.of(-1, ...heads), labels: ['', ...labels] };
    return { name, tree, conllu, confidences, isVote };
  };
  const models = trees.map((tree) => named(tree.model, tree, false));
  return vote === undefined ? models : [named('Vote', vote, true), ...models];
}

/** Returns a sentence in the form of report pages; the first tree takes the place of the gold tree. */
function shownSentence(
  { id = '', forms, trees: [{ upos, xpos }] }: ComparedSentence,
  named: readonly NamedTree[],
  number: number,
): ShownSentence {
  const [gold, ...trees] = named.map(({ tree }) => tree);
  const scored = new Uint8Array(forms.length + 1).fill(1, 1);
  const confidences = named.map((tree) => tree.confidences && [1, ...tree.confidences]);
  const tags = ['', ...(upos.some((tag) => tag !== '_') ? upos : xpos)];
  return { number, id, forms: ['', ...forms], tags, gold, trees, scored, confidences };
}

const wordingAgainst = (reference: string): Wording => ({
  reference,
  mark: '≠',
  none: 'the same',
  some: (words, total) => `${words} of ${total} differ`,
  differing: 'differs',
});

function legendOf(trees: readonly NamedTree[], { mark, reference }: Wording): string {
  const texts = trees.length < 2 ? [] : [`${mark} differs from ${reference}`];
  const hasShades = trees.some(({ confidences }) => confidences !== undefined);
  if (hasShades) texts.push('the fainter an arc, the lower its confidence');
  return texts.join('; ');
}

function svgOf({ forms, tags }: ShownSentence, { tree }: NamedTree): string {
  const words = forms.slice(1).map((form, i) => ({ form, upos: tags[i + 1] }));
  return treeToSvg(sentenceOf(words), tree);
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
  const votes = ballots[i].map(
    ({ head, label, models }) =>
      html`<li>${arcText(forms, head, label)} <span class="share">${models.length} of ${trees.length}: ${models.join(', ')}</span></li>`,
  );
  return html`<tr><td class="figure">${i + 1}</td><th scope="row"><bdi lang="">${forms[i]}</bdi></th>
<td>${arcText(forms, heads[i], labels[i])}</td><td><ul class="votes">${votes}</ul></td></tr>\n`;
}

function arcText(forms: readonly string[], head: number, label: string): Html {
  const where = head === 0 ? 'root of the sentence' : html`<bdi lang="">${forms[head - 1]}</bdi> (${head})`;
  return html`${label} ← ${where}`;
}

export class Clipboard {
  constructor(private readonly say: ShowStatus) {}

  async copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say(`${what} is copied`);
    } catch {
      // Copies by selection: pages over plain HTTP from another machine have no clipboard.
      const focused = document.activeElement;
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      const isCopied = document.execCommand('copy');
      area.remove();
      if (focused instanceof HTMLElement) focused.focus();
      this.say(isCopied ? `${what} is copied` : `${what} could not be copied`);
    }
  }
}
