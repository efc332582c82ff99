const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** The relations of UD version 2 that content words have, without subtypes. */
export const contentRelations = words(
  'nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod ' +
    'conj fixed flat compound list parataxis orphan goeswith reparandum root dep',
);
/** Those of function words. */
export const functionRelations = words('aux cop mark det clf case cc');
const universalFeatureNames = words(
  'PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect ' +
    'Voice Evident Polarity Person Polite',
);

/** The relation without its subtype. */
export function universalRelation(label: string): string {
  const colon = label.indexOf(':');
  return colon < 0 ? label : label.slice(0, colon);
}

/** The features whose names are universal, sorted. */
export function universalFeatures(feats: string): string {
  return feats
    .split('|')
    .filter((feature) => universalFeatureNames.has(feature.split('=', 1)[0]!))
    .sort()
    .join('|');
}
