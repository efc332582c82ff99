import { confidenceIn } from '../../../treebank/columns/confidence.ts';
import type { Sentence } from '../../../treebank/sentence.ts';
import { textMeasure } from '../../html/browser/page.ts';
import { treePictures } from '../../html/browser/tree-view.ts';
import { isRightToLeft, type MeasureText } from '../../trees/arc-layout.ts';
import { shownTags } from '../../trees/tree-svg.ts';

interface Marks {
  readonly token: number;
  readonly candidate: number | undefined;
  /** Tokens whose arcs are wrong. */
  readonly wrong: ReadonlySet<number>;
}

/** The picture of the edited sentence; SVG groups of words and arcs have their token in `data-token`. */
export class TreePicture {
  isRightToLeft = false;
  private readonly measure: MeasureText;

  constructor(readonly box: HTMLElement) {
    this.measure = textMeasure(box);
  }

  get svg(): SVGSVGElement {
    return this.box.querySelector('svg')!;
  }

  draw(sentence: Sentence, { token, candidate, wrong }: Marks): void {
    const { forms, length } = sentence;
    const confidences = [sentence.misc.map((misc) => confidenceIn(misc) ?? 1)];
    this.isRightToLeft = isRightToLeft(forms);
    const shown = {
      number: 1,
      id: '',
      forms,
      tags: shownTags(sentence),
      gold: sentence,
      trees: [],
      scored: new Uint8Array(length + 1).fill(1, 1),
      confidences,
    };
    const view = { parsers: [], drawn: [-1], matching: [token], measure: this.measure };
    this.box.innerHTML = treePictures(shown, view)[0].text;
    this.box.dir = this.isRightToLeft ? 'rtl' : 'ltr';
    this.box.querySelector('figcaption')!.remove();
    this.svg.ariaHidden = 'true';
    for (const group of this.svg.querySelectorAll<SVGElement>('[data-token]')) {
      const d = Number(group.dataset.token);
      const line = group.querySelector('.arc');
      if (line !== null) addGrip(line);
      group.classList.toggle('wrong-head', wrong.has(d));
      group.classList.toggle('here', d === candidate || (d === token && line !== null));
    }
  }

  /** Scrolls the box, not the page, so that a token's word is visible. */
  scrollTo(token: number): void {
    const word = this.svg.querySelector(`[data-token="${token}"] .word`)!.getBoundingClientRect();
    const { left, right } = this.box.getBoundingClientRect();
    const beyond = Math.max(0, word.right - right) - Math.max(0, left - word.left);
    if (beyond !== 0) this.box.scrollLeft += beyond + Math.sign(beyond) * ROOT_HEIGHT;
  }

  /** Returns the token whose word is at a point of the window; 0 at the top of the picture; undefined elsewhere. */
  headAt(x: number, y: number): number | undefined {
    const at = document.elementFromPoint(x, y)?.closest<SVGElement>('[data-token]');
    if (at && this.svg.contains(at) && at.querySelector('.word') !== null) return Number(at.dataset.token);
    const { left, right, top } = this.svg.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y < top + ROOT_HEIGHT ? 0 : undefined;
  }

  /** Draws a line from a token's word to a point of the window; undefined removes it. */
  drawLine(token: number, to?: { readonly x: number; readonly y: number }): void {
    this.svg.querySelector('.drag')?.remove();
    if (to === undefined) return;
    const { left, top } = this.svg.getBoundingClientRect();
    const word = this.svg.querySelector(`[data-token="${token}"] .word`)!.getBoundingClientRect();
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    line.setAttribute('class', 'drag');
    const ends = {
      x1: word.left + word.width / 2 - left,
      y1: word.top - top,
      x2: to.x - left,
      y2: to.y - top,
    };
    for (const [name, value] of Object.entries(ends)) line.setAttribute(name, String(value));
    this.svg.append(line);
  }

  /** Marks a word (0: the root) as the head on which the dragged word would be dropped; undefined: none. */
  markTarget(head: number | undefined): void {
    for (const group of this.svg.querySelectorAll<SVGElement>('[data-token]')) {
      const isWord = group.querySelector('.word') !== null;
      group.classList.toggle('target', isWord && Number(group.dataset.token) === head);
    }
    this.svg.classList.toggle('to-root', head === 0);
  }
}

/** Height in pixels of the area at the top of the picture where dropping a word makes it the root. */
const ROOT_HEIGHT = 24;

/** Adds a wide, invisible line over an arc, which is easier to click. */
function addGrip(line: Element): void {
  const grip = line.cloneNode() as Element;
  grip.setAttribute('class', 'grip');
  line.after(grip);
}

interface DragHandlers {
  /** Returns whether the token is chosen: what has been typed for another one may have to be mended first. */
  readonly choose: (token: number) => boolean;
  readonly attach: (token: number, head: number) => void;
}

/** Pixels that the pointer must move for a click to count as dragging. */
const DRAG_THRESHOLD = 5;
/** Width in pixels of the margins of the box where dragging scrolls it. */
const EDGE = 24;

/** Lets users click words and arcs to choose them, and drag them to a new head. */
export function dragArcs(picture: TreePicture, { choose, attach }: DragHandlers): void {
  const { box } = picture;
  let from: { readonly token: number; readonly x: number; readonly y: number } | undefined;
  let isDragging = false;
  const end = () => {
    if (from !== undefined) picture.drawLine(from.token);
    picture.markTarget(undefined);
    from = undefined;
    isDragging = false;
  };
  box.addEventListener('pointerdown', ({ target, button, pointerId, clientX: x, clientY: y }) => {
    const group = (target as Element).closest<SVGElement>('[data-token]');
    if (group === null || button !== 0) return;
    const token = Number(group.dataset.token);
    if (!choose(token)) return;
    from = { token, x, y };
    box.setPointerCapture(pointerId);
  });
  box.addEventListener('pointermove', ({ clientX: x, clientY: y }) => {
    if (from === undefined) return;
    isDragging ||= Math.hypot(x - from.x, y - from.y) >= DRAG_THRESHOLD;
    if (!isDragging) return;
    const { left, right } = box.getBoundingClientRect();
    if (x < left + EDGE || x > right - EDGE) box.scrollLeft += x < left + EDGE ? -EDGE : EDGE;
    picture.drawLine(from.token, { x, y });
    picture.markTarget(picture.headAt(x, y));
  });
  box.addEventListener('pointerup', ({ clientX, clientY }) => {
    if (from === undefined) return;
    const { token } = from;
    const head = isDragging ? picture.headAt(clientX, clientY) : undefined;
    end();
    if (head !== undefined && head !== token) attach(token, head);
  });
  box.addEventListener('pointercancel', end);
}
