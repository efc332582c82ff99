import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ColumnAnnotator } from '../../../annotators/annotator.ts';
import { annotated } from '../../../annotators/jackknife/fold.ts';
import { type JackknifeOptions, jackknifed } from '../../../annotators/jackknife/jackknife.ts';
import { trainAnnotator } from '../../../annotators/train-annotator.ts';
import { OptionError, UsageError } from '../../../src/errors.ts';
import { packageFolder } from '../../../src/platform/package.ts';
import type { NamedScores, TrainingProgress } from '../../../src/training/training-run.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { openTreebank, readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import { FirstSentences, inMemory, JoinedTreebanks } from '../../../src/treebank/treebanks.ts';
import { collect } from '../../support/collect.ts';
import { startModule } from '../../support/module-process.ts';
import { sampleText } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('jackknife');

const tagger = { task: 'tagger', options: { epochs: 1, bits: 12, units: 8, networkEpochs: 1 } } as const;
const lemmatizer = { task: 'lemmatizer', options: { epochs: 1, bits: 12 } } as const;
/** A lemmatizer, since it is trained faster than a tagger. */
const small: JackknifeOptions = { tasks: [lemmatizer], folds: 3 };

/** The sample, which has no lemmas, with made-up ones. */
const withLemmas = sandbox.save(
  'sample.conllu',
  sampleText('dev').replace(/^(\d+\t)([^\t]+)\t_/gm, (_, id, form) => `${id}${form}\t${lemmaOf(form)}`),
);

/** Some lemmas follow no rule, so that they are found only for known words. */
function lemmaOf(form: string): string {
  return form.length % 3 === 0 ? `${form}${form.length}` : form.toLowerCase();
}

async function sample(): Promise<Treebank> {
  return new FirstSentences(await openTreebank(withLemmas), 24);
}

async function textOf(treebank: Treebank): Promise<string> {
  return (await collect(treebank)).map((sentence) => formatSentence(sentence, 'conllu')).join('');
}

/** A treebank of sentences in mini-notation: words as `form/UPOS`, separated by blanks. */
function tagged(...sentences: readonly string[]): Treebank {
  const text = sentences.map((words) => {
    const rows = words.split(' ').map((word, i) => {
      const [form, tag] = word.split('/');
      return `${i + 1}\t${form}\t_\t${tag}\t_\t_\t${i}\t_\t_\t_\n`;
    });
    return `${rows.join('')}\n`;
  });
  return inMemory(readSentences(text.join('')), 'made up');
}

describe('a jack-knifed treebank', () => {
  test('has each fold annotated by models that were trained only on the other folds', async () => {
    // The word has a different tag in each half.
    const halves = tagged(...Array(6).fill('x/NOUN'), ...Array(6).fill('x/VERB'));
    const result = await collect(await jackknifed(halves, { tasks: [tagger], folds: 2 }));
    expect(result.map(({ upos }) => upos[1])).toEqual([...Array(6).fill('VERB'), ...Array(6).fill('NOUN')]);
  });

  test('has each fold tagged and lemmatized by models of the rest, with lemmas by the predicted tags', async () => {
    const all = await collect(await sample());
    const found = await collect(
      await jackknifed(await sample(), { ...small, tasks: [tagger, lemmatizer], folds: 2 }),
    );
    for (const [from, to] of [
      [0, 12],
      [12, 24],
    ]) {
      const rest = inMemory(
        all.filter((_, i) => i < from || i >= to),
        'rest',
      );
      const annotators: ColumnAnnotator[] = [];
      // The tagger of a fold is trained without a network.
      const { networkEpochs: _, ...own } = tagger.options;
      const ofFold = { ...tagger, options: { ...own, units: 0 } };
      for (const { task, options } of [ofFold, lemmatizer]) {
        annotators.push((await trainAnnotator(task, rest, { options })).annotator as ColumnAnnotator);
      }
      const block = annotated(inMemory(all.slice(from, to), 'block'), annotators);
      expect(found.slice(from, to)).toEqual(await collect(block));
    }
    expect(found.map(({ upos }) => upos)).not.toEqual(all.map(({ upos }) => upos));
    expect(found.map(({ lemmas }) => lemmas)).not.toEqual(all.map(({ lemmas }) => lemmas));
  });

  test('keeps comments, multiword tokens, empty nodes, heads and line ends', async () => {
    const block = (n: number) => `# sent_id = ${n}\r
# text = Va au bois\r
1\tVa\taller\tVERB\tV\tMood=Imp\t0\troot\t0:root\t_\r
2-3\tau\t_\t_\t_\t_\t_\t_\t_\tA=b\r
2\tà\tà\tADP\tP\t_\t4\tcase\t4:case\tC=d\r
3\tle\tle\tDET\tD\t_\t4\tdet\t4:det\t_\r
3.1\tbeau\tbeau\tADJ\tA\t_\t_\t_\t4:amod\t_\r
4\tbois\tbois\tNOUN\tN\t_\t1\tobl\t1:obl\tSpaceAfter=No\r
\r
`;
    const whole = [1, 2, 3, 4].map(block).join('');
    const path = sandbox.save('kept.conllu', whole);
    const other = whole
      .replaceAll('NOUN', 'VERB')
      .replace(/\taller\t/g, '\t_\t')
      .replace(/\tN\t/g, '\tX\t');
    const train = inMemory(readSentences(other), 'other');
    const { annotator } = await trainAnnotator('tagger', train, { options: tagger.options });
    const written = await textOf(annotated(await openTreebank(path), [annotator as ColumnAnnotator]));
    expect(written).toBe(whole.replaceAll('NOUN', 'VERB').replace(/\tN\t/g, '\tX\t'));
    expect(await textOf(await jackknifed(await openTreebank(path), { ...small, folds: 2 }))).toBe(whole);
  });

  test('keeps the sentences of several files apart, even if the last line of one has no line end', async () => {
    const block = '1\ta\ta\tX\tY\t_\t0\tr\t_\t_\n\n';
    const files = [block.trimEnd(), block.repeat(3)].map((text, i) => sandbox.save(`ends-${i}.conllu`, text));
    const treebank = new JoinedTreebanks(await Promise.all(files.map((file) => openTreebank(file))));
    const found = await collect(await jackknifed(treebank, { ...small, folds: 2 }));
    expect(found.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  });

  test('keeps the file and line of every sentence, in any format', async () => {
    const path = sandbox.save('trees.conllx', '1\ta\ta\tX\tY\t_\t0\tr\n\n'.repeat(4));
    const [, second] = await collect(await jackknifed(await openTreebank(path), { ...small, folds: 2 }));
    expect(second.source).toMatchObject({ file: path, line: 3 });
  });

  test('is the same with the same seed, and differs with other folds or tasks', async () => {
    const digest = async (more: Partial<JackknifeOptions>) =>
      (await jackknifed(await sample(), { ...small, ...more })).digest;
    const first = await digest({});
    expect(await digest({ seed: 1 })).toBe(first);
    expect(await digest({ folds: 2 })).not.toBe(first);
    expect(await digest({ tasks: [tagger] })).not.toBe(first);
    expect((await sample()).digest).not.toBe(first);
  });

  test('is the same for any number of threads, which a signal can stop', async () => {
    const { digest } = await jackknifed(await openTreebank(withLemmas), small);
    const script = `
      const { openTreebank } = await import(${JSON.stringify(pathToFileURL(join(packageFolder, 'dist/index.js')).href)});
      const treebank = await openTreebank(${JSON.stringify(withLemmas)});
      const small = ${JSON.stringify(small)};
      const { digest } = await module.jackknifed(treebank, { ...small, jobs: 2 });
      const stop = new AbortController();
      const shares = [];
      const onProgress = ({ epoch, done }) => {
        shares.push(done);
        if (done > 0) stop.abort();
      };
      const stopped = module.jackknifed(treebank, { ...small, jobs: 3, signal: stop.signal, onProgress });
      const reason = await stopped.catch(({ name }) => name);
      console.log(JSON.stringify({ digest, reason, hasBegun: shares.length > 0 }));`;
    const { stdout } = startModule('annotators/jackknife/jackknife.js', script);
    expect(JSON.parse(await text(stdout!))).toEqual({ digest, reason: 'AbortError', hasBegun: true });
  });

  test('reports progress in folds', async () => {
    const told: TrainingProgress<NamedScores>[] = [];
    await jackknifed(await sample(), { ...small, onProgress: (progress) => told.push(progress) });
    const over = told.filter(({ isOver }) => isOver);
    expect(over.map(({ unit, epoch, epochs }) => [unit, epoch, epochs])).toEqual([
      ['fold', 1, 3],
      ['fold', 2, 3],
      ['fold', 3, 3],
    ]);
    const places = told.map(({ epoch, done, total }) => epoch - 1 + done / total);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});

describe('jack-knifing', () => {
  test.each([
    [1, 'folds 1: expected 2 or more'],
    [0, 'folds 0: expected 2 or more'],
    [2.5, 'folds 2.5: expected 2 or more'],
    [4, 'folds 4: made up has 3 sentences, fewer than folds'],
  ])('refuses %s folds', async (folds, message) => {
    const three = tagged('a/X', 'b/X', 'c/X');
    const error = await jackknifed(three, { tasks: [tagger], folds }).catch((reason) => reason);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.message).toBe(message);
  });

  test('refuses an unknown option of a task, and a task that fills no columns', async () => {
    const three = tagged('a/X', 'b/X', 'c/X');
    const odd = { tasks: [{ task: 'tagger', options: { epoch: 1 } }], folds: 2 };
    await expect(jackknifed(three, odd as never)).rejects.toEqual(
      new UsageError('tagger has no option epoch'),
    );
    const tokenizer = { tasks: [{ task: 'tokenizer', options: { epochs: 1, bits: 10 } }], folds: 2 };
    await expect(jackknifed(three, tokenizer as never)).rejects.toThrow(/a tokenizer fills no columns/);
  });
});

describe('a fold in a store', () => {
  const kept = (name: string) => readdirSync(sandbox.path(name)).sort();
  const finished = async (options: JackknifeOptions) => {
    let learning = 0;
    const onProgress = ({ isOver }: TrainingProgress<NamedScores>) => {
      if (!isOver) learning++;
    };
    const treebank = await jackknifed(await sample(), { ...options, onProgress });
    return { text: await textOf(treebank), isLearnt: learning > 0 };
  };

  test('is used again without training, but not with another seed, number of folds or option', async () => {
    const store = sandbox.path('store');
    const first = await finished({ ...small, store });
    expect(first.isLearnt).toBe(true);
    expect(kept('store')).toHaveLength(3);
    expect(await finished({ ...small, store })).toEqual({ ...first, isLearnt: false });
    for (const other of [{ seed: 2 }, { folds: 2 }, { tasks: [{ ...lemmatizer, options: { epochs: 2 } }] }]) {
      expect((await finished({ ...small, ...other, store })).isLearnt).toBe(true);
    }
    expect(kept('store')).toHaveLength(11);
  });

  test('is trained again, to the same bytes, if it is missing, damaged or another fold’s', async () => {
    const store = sandbox.path('damaged');
    const { text } = await finished({ ...small, store });
    const [one, two, three] = kept('damaged').map((name) => join(store, name));
    const bytes = readFileSync(one);
    rmSync(one);
    appendFileSync(two, ' ');
    writeFileSync(three, bytes);
    expect(await finished({ ...small, store })).toEqual({ text, isLearnt: true });
    expect(readFileSync(one).equals(bytes)).toBe(true);
    expect((await finished({ ...small, store })).isLearnt).toBe(false);
  });

  test('is kept if a signal stops the other folds', async () => {
    const store = sandbox.path('stopped');
    const stop = new AbortController();
    const onProgress = ({ isOver }: TrainingProgress<NamedScores>) => {
      if (isOver) stop.abort();
    };
    const stopped = jackknifed(await sample(), { ...small, store, signal: stop.signal, onProgress });
    await expect(stopped).rejects.toThrow(/abort/);
    expect(kept('stopped')).toHaveLength(1);
    expect((await finished({ ...small, store })).text).toBe((await finished(small)).text);
  });
});
