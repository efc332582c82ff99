import type { ModelWriter } from '../../../../src/model/model-writer.ts';
import { joinStrings } from '../../../../src/model/strings.ts';
import type { CountedRules, LatentGrammar } from './latent-grammar.ts';

/** Adds split grammars to a model; returns what its header is to say of them. */
export function saveLatent(file: ModelWriter, { coarse, fine, rows, members }: LatentGrammar): object {
  saveRules(file, 'coarse', coarse.rules);
  file.section('coarse.occurrences', coarse.occurrences);
  saveRules(file, 'fine', fine.rules);
  file.section('fine.symbols', fine.coarseSymbols);
  file.section('fine.coarse', fine.coarseRules);
  file.section('rows', joinStrings(rows.counts.strings()));
  file.section('rows.states', rows.counts.toArray());
  for (const [seed, stages] of members.entries()) {
    for (const [stage, { grammar, counts }] of stages.entries()) {
      const name = `split.${seed}.${stage}`;
      file.section(`${name}.substates`, grammar.substates);
      file.section(`${name}.starts`, grammar.starts);
      file.section(`${name}.places`, grammar.places);
      file.section(`${name}.probabilities`, Float32Array.from(grammar.probabilities));
      file.section(`${name}.words`, counts);
    }
  }
  return {
    grammars: members.length,
    stages: members[0].length,
    start: coarse.start,
    labels: coarse.labels.map((label) => label ?? null),
    paths: coarse.paths.map((path) => path.join(' ')),
  };
}

function saveRules(file: ModelWriter, name: string, { parents, lefts, rights, counts }: CountedRules): void {
  for (const [column, numbers] of Object.entries({ parents, lefts, rights, counts })) {
    file.section(`${name}.${column}`, numbers);
  }
}
