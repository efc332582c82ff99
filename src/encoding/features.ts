/** The column of one attribute of FEATS, as in `feats:Case`; a token without it has the value `_`. */
export type AttributeColumn = `feats:${string}`;

export const isAttributeColumn = (name: string): name is AttributeColumn => name.startsWith('feats:');
export const attributeOf = (column: AttributeColumn): string => column.slice('feats:'.length);

/** Names that templates can write; an offset such as `+1` may follow. */
const NAME = /^[\p{L}\p{M}\p{N}_[\]-]{1,60}(?<![+-]\d)$/u;

/** An attribute of FEATS, with its name as the template language writes it. */
export interface Attribute {
  readonly name: string;
  /** Features without a name, such as `ERG` in CoNLL-X, that are this attribute's values. */
  readonly bare: ReadonlySet<string>;
}

/** Share of a feature's occurrences that may stand beside another value of the same attribute (Basque: `GEN|ABS`). */
const MOST_TOGETHER = 0.05;

/** Bounds for columns that hold no features at all, such as identifiers: the most frequent ones count. */
const [MOST_ATTRIBUTES, MOST_BARE] = [64, 512];

/**
 * The attributes in FEATS strings, given how often each string occurs, the most frequent attributes first. Features
 * without a name (CoNLL-X: `ERG|NUMS`) form attributes of features that hardly ever occur together, named by the most
 * frequent of them.
 */
export function attributesIn(counts: ReadonlyMap<string, number>): Attribute[] {
  const named = new Map<string, number>();
  const bare = new Map<string, number>();
  for (const [feats, count] of counts) {
    for (const feature of featuresOf(feats)) {
      const end = feature.indexOf('=');
      const [of, name] = end === -1 ? [bare, feature] : [named, feature.slice(0, end)];
      of.set(name, (of.get(name) ?? 0) + count);
    }
  }
  return [
    ...[...named].map(([name, count]) => ({ name, count, bare: new Set<string>() })),
    ...groupsOf([...bare].sort(([, a], [, b]) => b - a).slice(0, MOST_BARE), counts),
  ]
    .filter(({ name }) => NAME.test(name))
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_ATTRIBUTES);
}

/** Groups features without names, given with their frequencies, by which of them stand together. */
function groupsOf(features: readonly (readonly [string, number])[], counts: ReadonlyMap<string, number>) {
  const beside = new Map(features.map(([feature]) => [feature, new Map<string, number>()]));
  for (const [feats, count] of counts) {
    const known = featuresOf(feats).filter((feature) => beside.has(feature));
    for (const one of known) {
      const others = beside.get(one)!;
      for (const other of known) others.set(other, (others.get(other) ?? 0) + count);
    }
  }
  const groups: { readonly name: string; count: number; readonly bare: Set<string> }[] = [];
  for (const [feature, count] of features) {
    const others = beside.get(feature)!;
    const fits = (member: string) => (others.get(member) ?? 0) <= MOST_TOGETHER * count;
    const group = groups.find(({ bare }) => [...bare].every(fits));
    if (group === undefined) groups.push({ name: feature, count, bare: new Set([feature]) });
    else {
      group.bare.add(feature);
      group.count += count;
    }
  }
  return groups;
}

/** The value of an attribute in a FEATS string, the last if it has several; `_` if it has none. */
export function attributeValue(feats: string, attribute: string, isBareValue: (feature: string) => boolean) {
  let last = '_';
  for (const feature of featuresOf(feats)) {
    const end = feature.indexOf('=');
    if (end === -1 ? isBareValue(feature) : end === attribute.length && feature.startsWith(attribute))
      last = feature.slice(end + 1);
  }
  return last;
}

const featuresOf = (feats: string): string[] => (feats === '_' || feats === '' ? [] : feats.split('|'));
