const invisible = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u;

/**
 * Cells of a terminal that a text takes: 0 for combining marks and controls, 2 for East Asian wide characters
 * and emoji, 1 for others (an approximation of Unicode's UAX #11 by script; ambiguous characters are narrow).
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (character >= ' ' && character <= '~') width++;
    else if (!invisible.test(character)) width += wide.test(character) ? 2 : 1;
  }
  return width;
}
