/**
 * A button.
 *
 * @param of what it is for, where there are several that say the same: for those who hear it
 */
export function button(text: string, of: string, pressed: () => Promise<void>): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.setAttribute('aria-label', `${text} ${of}`);
  made.addEventListener('click', () => void pressed());
  return made;
}
