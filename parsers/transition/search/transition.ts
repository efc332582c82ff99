/** The transition of a configuration that is complete: none. */
export const IDLE = -1;

/** A transition as one number. */
export function transitionOf(action: number, label: number): number {
  return action | (label << 3);
}

export function actionOf(transition: number): number {
  return transition & 7;
}

export function labelOf(transition: number): number {
  return transition >> 3;
}
