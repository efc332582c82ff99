/** Kinds of characters: white space, letters by script and case, digits, combining marks; each punctuation mark or symbol is its own kind. */
export const SPACE = 0;
const UPPER = 1;
const LOWER = 2;
const OTHER_LETTER = 3;
const DIGIT = 4;
const MARK = 5;
const OTHER = 6;
/** Kinds from here on are single punctuation marks and symbols. */
const FIRST_SINGLE = 1024;
const GROUPS = 8;

const scripts = (
  'Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Tamil Telugu ' +
  'Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic Han Hiragana Katakana Hangul'
)
  .split(' ')
  .map((name) => new RegExp(`\\p{Script=${name}}`, 'u'));

const groups: readonly (readonly [RegExp, number])[] = [
  [/\p{White_Space}/u, SPACE],
  [/[\p{Lu}\p{Lt}]/u, UPPER],
  [/\p{Ll}/u, LOWER],
  [/\p{L}/u, OTHER_LETTER],
  [/\p{Nd}/u, DIGIT],
  [/\p{M}/u, MARK],
  [/[\p{P}\p{S}]/u, FIRST_SINGLE],
];

/** Code points below this are cached when first seen; others are computed each time. */
const TABLE = 1 << 16;
const UNSEEN = -1;
const kinds = new Int32Array(TABLE).fill(UNSEEN);
const lowers = new Int32Array(TABLE).fill(UNSEEN);

export function kindOf(code: number): number {
  if (code >= TABLE) return findKind(code);
  if (kinds[code] === UNSEEN) kinds[code] = findKind(code);
  return kinds[code];
}

function findKind(code: number): number {
  const character = String.fromCodePoint(code);
  const group = groups.find(([pattern]) => pattern.test(character))?.[1] ?? OTHER;
  if (group === FIRST_SINGLE) return FIRST_SINGLE + code;
  if (group < UPPER || group > OTHER_LETTER) return group;
  return group + GROUPS * (1 + scripts.findIndex((script) => script.test(character)));
}

/** A code point in lower case: always exactly one, so that offsets in a text stay valid. */
export function lowerOf(code: number): number {
  if (code >= TABLE) return findLower(code);
  if (lowers[code] === UNSEEN) lowers[code] = findLower(code);
  return lowers[code];
}

const findLower = (code: number): number => String.fromCodePoint(code).toLowerCase().codePointAt(0)!;

export function folded(text: string): string {
  let result = '';
  for (const character of text) result += String.fromCodePoint(lowerOf(character.codePointAt(0)!));
  return result;
}

/** The kind without its script: for word shapes. */
export const groupOf = (kind: number): number => (kind < FIRST_SINGLE ? kind % GROUPS : kind);

export function isLetter(kind: number): boolean {
  const group = groupOf(kind);
  return group >= UPPER && group <= OTHER_LETTER;
}

export const isUpper = (kind: number): boolean => groupOf(kind) === UPPER;
export const isSingle = (kind: number): boolean => kind >= FIRST_SINGLE;
const ZERO_WIDTH_JOINER = 0x200d;

/** Whether two code points belong to one visible character: no token ends between them. */
export function isOneCharacter(before: number, after: number): boolean {
  if (after < 0x300) return false;
  const isModifier = after >= 0x1f3fb && after <= 0x1f3ff;
  return kindOf(after) === MARK || isModifier || after === ZERO_WIDTH_JOINER || before === ZERO_WIDTH_JOINER;
}

/** White space in a form becomes a blank; MISC keeps it as written. */
const INNER_SPACE = /\p{White_Space}+/gu;
const ONE_BLANK = /^\p{Zs}$/u;

/** A token's form: as written, with a blank for white space that CoNLL-U does not allow. */
export const formOf = (written: string): string =>
  written.replace(INNER_SPACE, (space) => (ONE_BLANK.test(space) ? space : ' '));
