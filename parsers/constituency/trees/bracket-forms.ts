const BRACKETS: Readonly<Record<string, string>> = {
  '(': '-LRB-',
  ')': '-RRB-',
  '[': '-LSB-',
  ']': '-RSB-',
  '{': '-LCB-',
  '}': '-RCB-',
};

/** A word as it is written in bracketed trees: brackets by name, no-break spaces within the word. */
export function bracketForm(form: string): string {
  const whole = BRACKETS[form];
  if (whole !== undefined) return whole;
  return form.replace(/[()]/g, (bracket) => BRACKETS[bracket]).replace(/\s/g, '\u00a0');
}
