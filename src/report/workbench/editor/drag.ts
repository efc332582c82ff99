import type { TreePicture } from './tree-picture.ts';

interface Drops {
  readonly choose: (token: number) => void;
  readonly attach: (token: number, head: number) => void;
}

/** Pixels that the pointer moves before a click counts as dragging. */
const LEAST = 5;
/** Pixels from the edges of the box within which dragging scrolls it. */
const EDGE = 24;

/** Lets words and arcs be clicked, which chooses them, and dragged to a new head. */
export function dragArcs(picture: TreePicture, { choose, attach }: Drops): void {
  const { box } = picture;
  let from: { readonly token: number; readonly x: number; readonly y: number } | undefined;
  let isDragging = false;
  const end = () => {
    if (from !== undefined) picture.drawLine(from.token);
    picture.point(undefined);
    from = undefined;
    isDragging = false;
  };
  box.addEventListener('pointerdown', ({ target, button, pointerId, clientX: x, clientY: y }) => {
    const group = (target as Element).closest<SVGElement>('[data-token]');
    if (group === null || button !== 0) return;
    from = { token: Number(group.dataset.token), x, y };
    box.setPointerCapture(pointerId);
    choose(from.token);
  });
  box.addEventListener('pointermove', ({ clientX: x, clientY: y }) => {
    if (from === undefined) return;
    isDragging ||= Math.hypot(x - from.x, y - from.y) >= LEAST;
    if (!isDragging) return;
    const { left, right } = box.getBoundingClientRect();
    if (x < left + EDGE || x > right - EDGE) box.scrollLeft += x < left + EDGE ? -EDGE : EDGE;
    picture.drawLine(from.token, { x, y });
    picture.point(picture.headAt(x, y));
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
