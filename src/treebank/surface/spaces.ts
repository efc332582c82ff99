/**
 * What stood between tokens, as UDPipe writes it in MISC: `SpaceAfter=No` for nothing, no word of it for one
 * space, and `SpacesAfter=…` for anything else, in escapes that leave neither blanks nor bars.
 */
const escapes: ReadonlyMap<string, string> = new Map([
  [' ', '\\s'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['|', '\\p'],
  ['\\', '\\\\'],
]);
const characters = new Map([...escapes].map(([character, escaped]) => [escaped, character]));

/** A text without blanks, line ends and bars. */
export function escapeSpaces(text: string): string {
  return text.replace(/[ \t\n\r|\\]/g, (character) => escapes.get(character)!);
}

/** The text that was escaped; what is no escape stands for itself. */
export function unescapeSpaces(escaped: string): string {
  return escaped.replace(/\\[stnrp\\]/g, (one) => characters.get(one)!);
}

/** The MISC column of a token: what stood before it, after it, and in it where that is not its form. */
export function miscOf(before: string, after: string, inToken?: string): string {
  const fields: string[] = [];
  if (after === '') fields.push('SpaceAfter=No');
  else if (after !== ' ') fields.push(`SpacesAfter=${escapeSpaces(after)}`);
  if (before !== '') fields.push(`SpacesBefore=${escapeSpaces(before)}`);
  if (inToken !== undefined) fields.push(`SpacesInToken=${escapeSpaces(inToken)}`);
  return fields.length === 0 ? '_' : fields.join('|');
}

/** What stood after a token, by its MISC column. */
export function spacesAfter(misc: string): string {
  const spaces = fieldOf(misc, 'SpacesAfter');
  if (spaces !== undefined) return unescapeSpaces(spaces);
  return fieldOf(misc, 'SpaceAfter') === 'No' ? '' : ' ';
}

/** What stood before a token that no token before it has after it: at the beginning of a text, mostly. */
export function spacesBefore(misc: string): string {
  return unescapeSpaces(fieldOf(misc, 'SpacesBefore') ?? '');
}

/** A token as it stood in the text: its form, but for white space in it. */
export function inText(form: string, misc: string): string {
  const whole = fieldOf(misc, 'SpacesInToken');
  return whole === undefined ? form : unescapeSpaces(whole);
}

/** The value of one of the fields `Name=Value|Name=Value`. */
function fieldOf(misc: string, name: string): string | undefined {
  if (misc === '_') return undefined;
  const field = misc.split('|').find((each) => each.startsWith(`${name}=`));
  return field?.slice(name.length + 1);
}
