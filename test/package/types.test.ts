import { expect, test } from 'vitest';
import { UserProject } from '../support/user-project.ts';

/** A user's program: each line after `@ts-expect-error` must not compile, all others must. */
const program = `
import { findParadigm, openTreebank, type ParadigmName, type ParadigmOptions, type Treebank } from 'parliament';
import { trainAnnotator, trainParser, trainPipeline, trainStacked } from 'parliament';
import { type AnnotatorName, findTask, jackknifed } from 'parliament/annotate';

const files = { dev: 'dev.conllu', seed: 3 };
await trainParser('graph', 'train.conllu', { ...files, options: { epochs: 3, decoder: 'eisner', order: 2 } });
await trainParser('transition', ['a.conllu', 'b.conllu'], { options: { beam: 4, system: 'arc-eager' } });
await trainParser('yamada-matsumoto', 'train.conllu');
await trainParser('network', 'train.conllu', { options: { units: 64, rate: 0.01 } });
await trainParser('bigram', 'train.conllu', { options: { estimate: 'zeman' } });
await trainParser('pcfg', 'train.mrg', { options: { vertical: 2 } });
await trainParser(await findParadigm(process.argv[2]!), 'train.conllu', { options: { epochs: 3 } });

// @ts-expect-error: no such paradigm
await trainParser('grahp', 'train.conllu');
// @ts-expect-error: a name that is only known when the program runs may be no paradigm's
await trainParser(process.argv[2]!, 'train.conllu');
// @ts-expect-error: no such option
await trainParser('graph', 'train.conllu', { options: { epoch: 3 } });
// @ts-expect-error: another paradigm's option
await trainParser('graph', 'train.conllu', { options: { beam: 3 } });
// @ts-expect-error: no such decoder
await trainParser('graph', 'train.conllu', { options: { decoder: 'eisenr' } });
// @ts-expect-error: a number, not a text
await trainParser('network', 'train.conllu', { options: { units: '64' } });
// @ts-expect-error: no such setting of a training
await trainParser('graph', 'train.conllu', { sead: 3 });

await trainStacked('graph', 'train.conllu', { options: { epochs: 3 }, stacking: { guides: [{ parser: 'bigram' }] } });
// @ts-expect-error: no such paradigm
await trainStacked('grahp', 'train.conllu');
// @ts-expect-error: no such option
await trainStacked('graph', 'train.conllu', { options: { epoch: 3 } });

await trainAnnotator('tagger', 'train.conllu', { dev: 'dev.conllu', options: { units: 0 } });
await trainAnnotator(await findTask(process.argv[2]!), 'train.conllu', { options: { epochs: 3 } });
// @ts-expect-error: no such task
await trainAnnotator('tager', 'train.conllu');
// @ts-expect-error: another task's option
await trainAnnotator('lemmatizer', 'train.conllu', { options: { units: 0 } });

const jackknife = (await openTreebank('train.conllu')) satisfies Treebank;
await jackknifed(jackknife, { tasks: [{ task: 'tagger', options: { units: 0 } }, { task: 'lemmatizer' }] });
// @ts-expect-error: no such task
await jackknifed(jackknife, { tasks: [{ task: 'tager' }] });
// @ts-expect-error: no such option
await jackknifed(jackknife, { tasks: [{ task: 'tagger', options: { unit: 0 } }] });

await trainPipeline('train.conllu', { options: { tags: 'both', tagger: { units: 0 }, folds: 5 } });
await trainPipeline('train.conllu', { options: { parser: 'graph', parserOptions: { order: 2 } } });
await trainPipeline('train.conllu', { options: { parser: 'vote', members: [{ parser: 'graph' }, { parser: 'network' }] } });
await trainPipeline('train.conllu', { options: { parserOptions: { beam: 4 } } });
// @ts-expect-error: no such option
await trainPipeline('train.conllu', { options: { taggs: 'both' } });
// @ts-expect-error: no such option of the tagger
await trainPipeline('train.conllu', { options: { tagger: { unit: 0 } } });

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <T extends true>(): T | undefined => undefined;
// What an editor completes.
isTrue<Equal<ParadigmName, 'graph' | 'transition' | 'yamada-matsumoto' | 'network' | 'bigram' | 'pcfg' | 'spans'>>();
isTrue<Equal<AnnotatorName, 'tokenizer' | 'tagger' | 'lemmatizer'>>();
isTrue<Equal<NonNullable<ParadigmOptions['graph']['decoder']>, 'chu-liu-edmonds' | 'eisner' | 'matrix-power'>>();
isTrue<Equal<NonNullable<ParadigmOptions['transition']['direction']>, 'left-to-right' | 'right-to-left'>>();
`;

/** A package with a paradigm of its own declares the options of that paradigm. */
const extension = `
import { trainParser } from 'parliament';

declare module 'parliament' {
  interface ParadigmOptions {
    readonly mine: { readonly smoothing?: number };
  }
}
await trainParser('mine', 'train.conllu', { options: { smoothing: 0.5 } });
// @ts-expect-error: no such option
await trainParser('mine', 'train.conllu', { options: { smooth: 0.5 } });
`;

test('training functions accept only known names, and the options and values of that paradigm or task', () => {
  const project = new UserProject('types');
  project.write('program.ts', program);
  expect(project.compile()).toMatchObject({ stdout: '', status: 0 });
});

test('the compiler suggests the right name for a misspelt option of a paradigm', () => {
  const project = new UserProject('wrong-types');
  const call = "trainParser('graph', 'train.conllu', { options: { epoch: 3 } })";
  project.write('program.ts', `import { trainParser } from 'parliament';\nawait ${call};\n`);
  expect(project.compile().stdout).toContain("Did you mean to write 'epochs'?");
});

test('a package with a paradigm of its own adds its options to the types', () => {
  const project = new UserProject('extended-types');
  project.write('program.ts', extension);
  expect(project.compile()).toMatchObject({ stdout: '', status: 0 });
});
