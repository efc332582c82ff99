import { isValue } from '../treebank/sentence.ts';

/** The column of an attribute in FEATS, such as `feats:Case`; a token without the attribute has the value `_`. */
export type AttributeColumn = `feats:${string}`;

export const isAttributeColumn = (name: string): name is AttributeColumn => name.startsWith('feats:');
export const attributeOf = (column: AttributeColumn): string => column.slice('feats:'.length);

/** Names of attributes that can be written in templates, where an offset such as `+1` may follow. */
const NAME = /^[\p{L}\p{M}\p{N}_[\]-]{1,60}(?<![+-]\d)$/u;

/** An attribute in FEATS, named as in templates. */
export interface Attribute {
  readonly name: string;
  /** Features without a name, such as `ERG` in CoNLL-X, that are this attribute's values. */
  readonly bare: ReadonlySet<string>;
}

/** Maximum share of a bare feature's occurrences beside another value of the same attribute (Basque: `GEN|ABS`). */
const MOST_TOGETHER = 0.05;

/** Maximum numbers of attributes and of bare features, the most frequent ones: some columns hold identifiers instead. */
const [MOST_ATTRIBUTES, MOST_BARE] = [64, 512];

/**
 * Finds the attributes in FEATS strings, given with their frequencies; the most frequent attributes come first. Features
 * without an attribute (CoNLL-X: `ERG|NUMS`) are grouped: those that hardly ever occur together are values of one
 * attribute, named after the most frequent of them.
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

/** Groups features without an attribute, given by falling frequency, so that the members of a group hardly ever co-occur. */
function groupsOf(features: readonly (readonly [string, number])[], counts: ReadonlyMap<string, number>) {
  const cooccurring = new Map(features.map(([feature]) => [feature, new Map<string, number>()]));
  for (const [feats, count] of counts) {
    const known = featuresOf(feats).filter((feature) => cooccurring.has(feature));
    for (const one of known) {
      const others = cooccurring.get(one)!;
      for (const other of known) others.set(other, (others.get(other) ?? 0) + count);
    }
  }
  const groups: { readonly name: string; count: number; readonly bare: Set<string> }[] = [];
  for (const [feature, count] of features) {
    const others = cooccurring.get(feature)!;
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

/** Finds the value of an attribute in a FEATS string, the last of several; `_` if there is none. */
export function attributeValue(feats: string, attribute: string, isBareValue: (feature: string) => boolean) {
  let last = '_';
  for (const feature of featuresOf(feats)) {
    const end = feature.indexOf('=');
    if (end === -1 ? isBareValue(feature) : end === attribute.length && feature.startsWith(attribute))
      last = feature.slice(end + 1);
  }
  return last;
}

const featuresOf = (feats: string): string[] => (isValue(feats) ? feats.split('|') : []);
