/**
 * The treebank in `data/sample`, written for this project: how its CoNLL-U files are made from its brackets.
 */
import { parseBrackets } from '../brackets/brackets.ts';
import { formatSentence } from '../columns/write.ts';
import { dependenciesOfPhrases } from '../phrases/phrase-dependencies.ts';
import type { Part } from './catalogue.ts';
import { spacesAfter, surfaceText } from './surface-text.ts';

/**
 * The CoNLL-U file of a part of the sample: dependencies with traces resolved, and for each sentence its
 * number, register and text as comments, words written together as `SpaceAfter=No`.
 *
 * @param brackets the part's bracketed trees
 * @param registers lines of `sent_id`, tab, register, in the order of the trees; the other parts' lines are
 *   passed over
 * @throws InputError where the brackets are malformed
 */
export function sampleConllu(part: Part, brackets: string, registers: string): string {
  const names = registers
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([id]) => id!.startsWith(`sample-${part}-`));
  const place = { file: `${part}.mrg`, line: 1 };
  const sentences = Array.from(parseBrackets(brackets, place), ({ tree, source }, i) => {
    const [id, register] = names[i]!;
    const sentence = dependenciesOfPhrases(tree, { traces: 'resolve', place: source });
    const spaces = spacesAfter(sentence.forms, sentence.xpos);
    const misc = spaces.map((space, d) =>
      space || d === 0 || d === sentence.length ? '_' : 'SpaceAfter=No',
    );
    const text = surfaceText(sentence.forms, spaces);
    const comments = `# sent_id = ${id}\n# register = ${register}\n# text = ${text}\n`;
    return comments + formatSentence({ ...sentence, misc }, 'conllu');
  });
  return sentences.join('');
}
