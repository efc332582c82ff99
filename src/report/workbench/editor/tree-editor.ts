import { UsageError } from '../../../errors.ts';
import { confidenceIn } from '../../../treebank/columns/confidence.ts';
import type { EditedTreebank, UnsureWord } from '../../../treebank/editing/edited-treebank.ts';
import type { Edit } from '../../../treebank/editing/edits.ts';
import { problemsOf } from '../../../treebank/editing/problems.ts';
import { Query } from '../../../treebank/query/query.ts';
import type { Sentence } from '../../../treebank/sentence.ts';
import { originalText, textOf } from '../../../treebank/surface.ts';
import { setDisabled } from '../../html/browser/page.ts';
import { type Html, html } from '../../html/html.ts';
import { directionOf } from '../../trees/arc-layout.ts';
import { TokenFields } from './token-fields.ts';
import { dragArcs, TreePicture } from './tree-picture.ts';

interface EditorHooks {
  /** Called after each edit, and when another sentence is shown. */
  readonly changed: () => void;
  readonly say: (text: string) => void;
  /** Removes a message if it is still shown. */
  readonly clearMessage: (text: string) => void;
}

/** The actions of keys in the tree; buttons name theirs in `data-do`. */
const keys: Readonly<Record<string, string>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'first',
  End: 'last',
  PageUp: 'previous',
  PageDown: 'next',
  h: 'head',
  r: 'root',
  j: 'join-tokens',
  b: 'split-sentence',
  a: 'join-sentences',
  n: 'unsure',
  u: 'undo',
  y: 'redo',
};

/** Keys in the tree that move the focus to a field. */
const fieldKeys: Readonly<Record<string, string>> = {
  w: 'form',
  m: 'lemma',
  t: 'upos',
  x: 'xpos',
  f: 'feats',
  l: 'label',
  i: 'misc',
};

/** An editor of trees, by mouse or by keyboard alone: a picture, the fields of one token, and a list of problems. */
export class TreeEditor {
  /** Set by the first call of `open`; before, the editor is hidden. */
  private treebank!: EditedTreebank;
  private position = 0;
  private token = 1;
  /** The head proposed while the user chooses one by keyboard. */
  private candidate: number | undefined;
  /** The word shown last when stepping through words by increasing confidence. */
  private unsure: UnsureWord | undefined;
  private message = '';
  private readonly picture: TreePicture;
  private readonly fields: TokenFields;

  constructor(
    private readonly host: HTMLElement,
    private readonly hooks: EditorHooks,
  ) {
    host.innerHTML = template.text;
    this.picture = new TreePicture(this.part('.edit-tree'));
    this.fields = new TokenFields(this.part('.edit-fields'), (edits) => this.apply(...edits));
    this.fields.onLeave = () => this.focus();
    this.fields.onSplit = this.actions['split-token'];
    this.fields.onReset = () => this.hooks.clearMessage(this.message);
    dragArcs(this.picture, {
      choose: (d) => {
        const isDone = this.fields.commit();
        if (isDone) this.choose(d);
        return isDone;
      },
      attach: (token, head) => this.apply({ kind: 'attach', token, head }),
    });
    host.addEventListener('click', ({ target }) => {
      const { do: action, go } =
        (target as Element).closest<HTMLElement>('[data-do], [data-go]')?.dataset ?? {};
      if ((action ?? go) === undefined || !this.mayDo(action)) return;
      if (action !== undefined) this.actions[action]();
      if (go === undefined) return;
      this.choose(Number(go));
      // The list of problems was drawn anew, so that the pressed button and its focus are gone.
      this.focus();
    });
    host.addEventListener('keydown', (event) => this.press(event));
    const number = this.part<HTMLInputElement>('.edit-position');
    number.addEventListener('change', () => {
      if (this.fields.commit()) this.show(Number(number.value) - 1);
      else number.value = String(this.position + 1);
    });
    this.part('.edit-query').addEventListener('keydown', ({ key, isComposing }) => {
      if (key === 'Enter' && !isComposing) this.find();
    });
  }

  open(treebank: EditedTreebank, index = 0): void {
    this.treebank = treebank;
    this.unsure = undefined;
    this.fields.offer(treebank);
    this.show(index);
  }

  focus(): void {
    this.picture.box.focus();
  }

  /** Applies what has been typed into the fields; returns whether that is possible, and shows why not. */
  commit(): boolean {
    return this.fields.commit();
  }

  show(index: number, token = 1): void {
    const last = this.treebank.length - 1;
    const before = this.position;
    this.position = Math.max(0, Math.min(Math.trunc(index) || 0, last));
    const number = this.part<HTMLInputElement>('.edit-position');
    number.value = String(this.position + 1);
    number.max = String(last + 1);
    this.part('.edit-count').textContent = `of ${last + 1}`;
    if (this.position !== before) this.picture.box.scrollLeft = 0;
    this.choose(token);
    this.hooks.changed();
  }

  private get sentence(): Sentence {
    return this.treebank.sentence(this.position);
  }

  private part<E extends HTMLElement>(selector: string): E {
    return this.host.querySelector<E>(selector)!;
  }

  private say(text: string): void {
    this.message = text;
    this.hooks.say(text);
  }

  private choose(token: number): void {
    this.hooks.clearMessage(this.message);
    this.candidate = undefined;
    this.token = Math.max(1, Math.min(token, this.sentence.length));
    this.draw();
  }

  /** Applies edits one after another; shows why one is impossible, and returns whether all are possible. */
  private apply(...edits: readonly Edit[]): boolean {
    let problem = '';
    try {
      for (const edit of edits) this.treebank.apply(this.position, edit);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problem = error.message;
    }
    this.show(this.position, this.token);
    this.say(problem);
    return problem === '';
  }

  private readonly actions: Readonly<Record<string, () => void>> = {
    left: () => this.move(this.picture.isRightToLeft ? 1 : -1),
    right: () => this.move(this.picture.isRightToLeft ? -1 : 1),
    first: () => this.choose(1),
    last: () => this.choose(this.sentence.length),
    previous: () => this.show(this.position - 1),
    next: () => this.show(this.position + 1),
    head: () => {
      this.candidate = Math.max(1, this.sentence.heads[this.token]);
      this.draw();
    },
    root: () => this.apply({ kind: 'attach', token: this.token, head: 0 }),
    'split-token': () => this.apply({ kind: 'split-token', token: this.token, at: this.fields.cursor }),
    'join-tokens': () => this.apply({ kind: 'join-tokens', token: this.token }),
    'split-sentence': () => this.apply({ kind: 'split-sentence', token: this.token }),
    'join-sentences': () => this.apply({ kind: 'join-sentences' }),
    unsure: () => this.goToUnsure(),
    find: () => this.find(),
    undo: () => this.goBack('undo'),
    redo: () => this.goBack('redo'),
  };

  /** Goes to the word with the next higher confidence. */
  goToUnsure(): void {
    this.unsure = this.treebank.nextUnsure(this.unsure);
    if (this.unsure !== undefined) this.show(this.unsure.index, this.unsure.token);
    else this.say('no further word has a Confidence in MISC');
  }

  /** Goes to the next match of the query; continues at the beginning of the file after its end. */
  private find(): void {
    const { value } = this.part<HTMLInputElement>('.edit-query');
    try {
      const found = this.treebank.nextMatch(new Query(value), this.position, this.token);
      this.say(found === undefined ? 'no sentence matches' : '');
      if (found !== undefined) this.show(found.index, found.token);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.say(error.message);
    }
  }

  /** Applies what has been typed before an action; an impossible value has to be mended or taken back first. */
  private mayDo(action: string | undefined): boolean {
    return action === 'undo' || this.fields.commit();
  }

  private goBack(way: 'undo' | 'redo'): void {
    if (this.fields.isChanged) {
      this.fields.reset();
      return;
    }
    const at = this.treebank[way]();
    if (at === undefined) this.say(`nothing to ${way}`);
    else this.show(at, this.token);
  }

  /** Moves to another token, or proposes another head. */
  private move(by: number): void {
    if (this.candidate === undefined) {
      this.choose(this.token + by);
      return;
    }
    this.candidate = Math.max(1, Math.min(this.candidate + by, this.sentence.length));
    this.draw();
  }

  private press(event: KeyboardEvent): void {
    const { key, target } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    // Fields undo what is typed into them themselves: those of the word until it is applied, others always.
    const isTyping = this.fields.isChanged || (target as Element).matches('.steps input');
    if (isCommand && /^[zy]$/i.test(key) && !isTyping)
      this.goBack(/y/i.test(key) || event.shiftKey ? 'redo' : 'undo');
    else if (isCommand || event.altKey || target !== this.picture.box || !this.pressInTree(key)) return;
    event.preventDefault();
  }

  /** Handles a key in the tree; returns false if it has no function. */
  private pressInTree(key: string): boolean {
    const { token, candidate } = this;
    if (candidate !== undefined && key === 'Enter') this.apply({ kind: 'attach', token, head: candidate });
    else if (candidate !== undefined && key === 'Escape') this.choose(token);
    else if (Object.hasOwn(fieldKeys, key)) this.fields.focus(fieldKeys[key]);
    else if (!Object.hasOwn(keys, key)) return false;
    else if (this.mayDo(keys[key])) this.actions[keys[key]]();
    return true;
  }

  private draw(): void {
    const { sentence, token, candidate, treebank } = this;
    const problems = problemsOf(sentence, treebank.isUniversal);
    const wrong = new Set(problems.filter(({ isRule }) => !isRule).map((problem) => problem.token));
    this.picture.draw(sentence, { token, candidate, wrong });
    this.picture.scrollTo(candidate ?? token);
    this.fields.fill(sentence, token);
    const text = this.part('.sentence');
    text.textContent = originalText(sentence) ?? textOf(sentence).trim();
    text.dir = directionOf(sentence.forms);
    this.part('.edit-word').innerHTML = this.spoken().text;
    this.part('.edit-problems').innerHTML = html`${problems.map(
      (problem) =>
        html`<li class="${problem.isRule ? 'note' : 'wrong'}"><button type="button" data-go="${problem.token}">${problem.token} <bdi lang="">${sentence.forms[problem.token]}</bdi></button> ${problem.text}</li>\n`,
    )}`.text;
    const button = (action: string) => this.part<HTMLButtonElement>(`[data-do=${action}]`);
    setDisabled([
      [button('previous'), this.position === 0],
      [button('next'), this.position === treebank.length - 1],
    ]);
    setDisabled([
      [button('undo'), !treebank.canUndo],
      [button('redo'), !treebank.canRedo],
    ]);
  }

  private spoken(): Html {
    const { token, candidate } = this;
    const { forms, heads, labels, upos, misc } = this.sentence;
    const named = (d: number) =>
      d === 0 ? 'the root of the sentence' : html`<bdi lang="">${forms[d]}</bdi> (${d})`;
    if (candidate !== undefined)
      return html`Head of ${named(token)}: ${named(candidate)}? Arrows choose another, Enter takes it, Escape leaves it.`;
    const attached = heads[token] === 0 ? named(0) : html`${labels[token]} of ${named(heads[token])}`;
    const head = heads[token] < 0 ? 'no head' : attached;
    const confidence = confidenceIn(misc[token]);
    const percent = confidence === undefined ? '' : `, the parser was ${Math.round(100 * confidence)}% sure`;
    return html`${named(token)}, ${upos[token]}: ${head}${percent}`;
  }
}

const button = (action: string, text: string) =>
  html`<button type="button" data-do="${action}">${text}</button>\n`;

const template = html`<p class="steps">${button('previous', 'Previous')}
<label>Sentence <input type="number" class="edit-position" min="1" value="1"></label> <span class="edit-count"></span>
${button('next', 'Next')}${button('unsure', 'Next unsure word')}${button('undo', 'Undo')}${button('redo', 'Redo')}</p>
<p class="steps"><label>Query <input type="text" class="edit-query" placeholder="V [upos=VERB] -[nsubj]-> S" lang="" autocomplete="off" spellcheck="false"></label> ${button('find', 'Next match')}</p>
<p class="sentence" lang=""></p>
<div class="edit-tree" tabindex="0" role="application" aria-label="Tree to correct" aria-describedby="edit-keys"></div>
<p class="edit-word" role="status"></p>
<ul class="edit-problems" aria-label="Problems"></ul>
<form class="edit-fields" aria-label="The word"></form>
<p class="steps">${button('root', 'Make it the root')}${button('split-token', 'Split at the cursor in Form')}${button('join-tokens', 'Join with the next word')}${button('split-sentence', 'Begin a sentence here')}${button('join-sentences', 'Join with the next sentence')}</p>
<details class="keys"><summary>Mouse and keys</summary>
<p class="note">Drag a word, or its arc, to its new head; to the top of the picture, to make it the root.</p>
<dl id="edit-keys">
<dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>another word</dd>
<dt><kbd>h</kbd></dt><dd>another head: arrows choose it, <kbd>Enter</kbd> takes it</dd>
<dt><kbd>r</kbd></dt><dd>make the word the root</dd>
<dt><kbd>l</kbd> <kbd>t</kbd> <kbd>x</kbd> <kbd>f</kbd> <kbd>m</kbd> <kbd>w</kbd> <kbd>i</kbd></dt><dd>label, UPOS, XPOS, features, lemma, form, MISC: <kbd>Enter</kbd> takes what is typed, <kbd>Escape</kbd> leaves it; <kbd>Ctrl</kbd> <kbd>Enter</kbd> in Form splits the word</dd>
<dt><kbd>j</kbd></dt><dd>join with the next word</dd>
<dt><kbd>b</kbd> <kbd>a</kbd></dt><dd>begin a sentence here; append the next sentence</dd>
<dt><kbd>u</kbd> <kbd>y</kbd></dt><dd>undo, redo; also <kbd>Ctrl</kbd> <kbd>Z</kbd> and <kbd>Ctrl</kbd> <kbd>Y</kbd></dd>
<dt><kbd>n</kbd></dt><dd>the next word by increasing confidence</dd>
<dt><kbd>Page up</kbd> <kbd>Page down</kbd></dt><dd>another sentence</dd>
</dl></details>`;
