/** The column of one attribute of FEATS, as in `feats:Case`; a token without it has the value `_`. */
export type AttributeColumn = `feats:${string}`;

export function isAttributeColumn(name: string): name is AttributeColumn {
  return name.startsWith('feats:');
}

export function attributeOf(column: AttributeColumn): string {
  return column.slice('feats:'.length);
}

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

/**
 * The attributes in FEATS strings, given how often each string occurs, the most frequent attributes first. Features
 * without a name (CoNLL-X: `ERG|NUMS`) form attributes of features that hardly ever occur together, named by the most
 * frequent of them.
 */
export function attributesIn(counts: ReadonlyMap<string, number>): Attribute[] {
  const named = new Map<string, number>();
  const bare = new Map<string, { count: number; readonly beside: Map<string, number> }>();
  for (const [feats, count] of counts) {
    const features = featuresOf(feats);
    const nameless = features.filter((feature) => !feature.includes('='));
    for (const feature of features) {
      const end = feature.indexOf('=');
      if (end > 0) named.set(feature.slice(0, end), (named.get(feature.slice(0, end)) ?? 0) + count);
    }
    for (const feature of nameless) {
      const seen = bare.get(feature) ?? { count: 0, beside: new Map<string, number>() };
      seen.count += count;
      for (const other of nameless) seen.beside.set(other, (seen.beside.get(other) ?? 0) + count);
      bare.set(feature, seen);
    }
  }
  const groups: { count: number; readonly members: string[] }[] = [];
  for (const [feature, { count, beside }] of [...bare].sort(([, a], [, b]) => b.count - a.count)) {
    const group = groups.find(
      ({ members }) => !members.some((member) => (beside.get(member) ?? 0) > MOST_TOGETHER * count),
    );
    if (group === undefined) groups.push({ count, members: [feature] });
    else {
      group.members.push(feature);
      group.count += count;
    }
  }
  return [
    ...[...named].map(([name, count]) => ({ name, count, bare: new Set<string>() })),
    ...groups.map(({ count, members }) => ({ name: members[0], count, bare: new Set(members) })),
  ]
    .filter(({ name }) => NAME.test(name))
    .sort((a, b) => b.count - a.count);
}

/** The value of an attribute in a FEATS string, the last if it has several; `_` if it has none. */
export function attributeValue(
  feats: string,
  attribute: string,
  isBareValue: (feature: string) => boolean,
): string {
  let last = '_';
  for (const feature of featuresOf(feats)) {
    const end = feature.indexOf('=');
    if (end === -1 ? isBareValue(feature) : end === attribute.length && feature.startsWith(attribute)) {
      last = feature.slice(end + 1);
    }
  }
  return last;
}

function featuresOf(feats: string): string[] {
  return feats === '_' || feats === '' ? [] : feats.split('|');
}
