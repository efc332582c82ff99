import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TextLayout, Tokenizer } from '../../../annotators/annotator.ts';
import { LinearTokenizer } from '../../../annotators/tokenizer/tokenizer.ts';
import { type TrainAnnotatorOptions, trainAnnotator } from '../../../annotators/train-annotator.ts';
import { InputError } from '../../../src/errors.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { CheckpointFile } from '../../../src/training/checkpoint-file.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../../../src/treebank/sentence.ts';
import { surfaceTokens, textOf } from '../../../src/treebank/surface.ts';
import { openTreebanks } from '../../../src/treebank/treebanks.ts';
import { miniTreebank } from '../../support/mini-treebank.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { samplePath } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('tokenizer');

async function learn(treebank: Treebank | string, options: object = {}): Promise<Tokenizer> {
  const { annotator } = await trainAnnotator('tokenizer', treebank, { options: { bits: 14, ...options } });
  return annotator as Tokenizer;
}

/** A part of the sample, for tests that do not need a good tokenizer. */
const few = () => openTreebanks([samplePath('train')], { limit: 40 });

/** The sentences of a text given as one or more chunks. */
function cut(tokenizer: Tokenizer, chunks: string | readonly string[], layout?: TextLayout): Sentence[] {
  const stream = tokenizer.open(layout);
  const all = typeof chunks === 'string' ? [chunks] : chunks;
  return [...all.flatMap((chunk) => stream.push(chunk)), ...stream.end()];
}

const written = (sentences: readonly Sentence[]) =>
  sentences.map((sentence) => formatSentence(sentence, 'conllu')).join('');

const forms = (sentences: readonly Sentence[]) =>
  sentences.map((sentence) => surfaceTokens(sentence).map(({ form }) => form));

/** Trained on the bundled sample (once with a network), and on texts with blanks inside tokens or none between them. */
const tokenizers = {} as Record<'English' | 'network' | 'spaced' | 'dense', Tokenizer>;
beforeAll(async () => {
  tokenizers.English = await learn(samplePath('train'), { epochs: 2 });
  tokenizers.network = await learn(await few(), { epochs: 2, units: 4 });
  tokenizers.spaced = await learn(
    miniTreebank(
      'sinh_viên đọc sách .\nhọc_sinh viết bài .\nhọc_sinh đọc bài .\nanh viết sách .\n'.repeat(9),
    ),
  );
  tokenizers.dense = await learn(
    miniTreebank('我们+ 学习+ 中文+ 。+\n他们+ 学习+ 。+\n我们+ 读书+ 。+\n你+ 读书+ 吗+ ？+\n'.repeat(9)),
  );
});

/** Texts of everything that is hard to preserve: all kinds of blanks, combining marks, emoji, control characters. */
const anyText = fc
  .array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom(' ', '\n', '\r\n', '\n\n', '\t', '\r', '\u00a0', '\u3000', '\u2029'),
      },
      {
        weight: 6,
        arbitrary: fc.constantFrom('Dogs', 'bark', "don't", '.', '!?', '“', 'Mr.', '3.14', 'a b', '我们学习'),
      },
      fc.constantFrom(
        '👩‍👩‍👧',
        '🇩🇪',
        'e\u0301',
        '\u200b',
        '\ufeff',
        '\u0000',
        '\u0007',
        '\\s',
        '|',
        '_',
        '#',
        'שלום',
        'مرحبا',
        'İ',
        'ß',
      ),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\ud83d', '\udc69'),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

const layouts: readonly TextLayout[] = ['text', 'lines', 'tokens'];
const names = ['English', 'network', 'spaced', 'dense'] as const;

describe.each(layouts)('any text, read as %s', (layout) => {
  test.each(names)('is rebuilt from its sentences, character by character (%s)', (name) => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(/[^\p{White_Space}\ufeff]/u.test(text));
        expect(cut(tokenizers[name], text, layout).map(textOf).join('')).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test.each(['English', 'network'] as const)(
    'is cut in the same way in whatever chunks it arrives (%s)',
    (name) => {
      fc.assert(
        fc.property(anyText, fc.array(fc.nat(60), { maxLength: 12 }), (text, places) => {
          const at = [
            0,
            ...places.map((place) => Math.min(place, text.length)).sort((a, b) => a - b),
            text.length,
          ];
          const chunks = at.slice(1).map((end, i) => text.slice(at[i], end));
          expect(written(cut(tokenizers[name], chunks, layout))).toBe(
            written(cut(tokenizers[name], text, layout)),
          );
        }),
        { numRuns: 300 },
      );
    },
  );

  test('becomes CoNLL-U that reads back the same', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const sentences = cut(tokenizers.English, text, layout);
        fc.pre(sentences.length > 0);
        const read = readSentences(written(sentences), { name: 'text', format: 'conllu' });
        expect(read).toEqual(sentences);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a long text', () => {
  /** Cuts a text in chunks and checks that it can be rebuilt; a shorter text must be cut the same as a whole. */
  function check(text: string, tokenizer = tokenizers.English): Sentence[] {
    const chunks = Array.from({ length: Math.ceil(text.length / 777) }, (_, i) =>
      text.slice(777 * i, 777 * (i + 1)),
    );
    const sentences = cut(tokenizer, chunks);
    expect(sentences.map(textOf).join('') === text).toBe(true);
    if (text.length < 100_000) expect(written(cut(tokenizer, text)) === written(sentences)).toBe(true);
    return sentences;
  }

  test.each([
    ['a hundred thousand letters', 'a'.repeat(100_000)],
    ['two hundred thousand joined emoji', '👩‍👩‍👧'.repeat(25_000)],
    ['a hundred thousand letters, digits and hyphens', 'a1-'.repeat(34_000)],
    ['a word and a hundred thousand combining marks', `a${'\u0301'.repeat(100_000)}`],
    ['a hundred thousand Chinese characters', '我们学习中文'.repeat(17_000)],
  ])('of %s is cut into tokens of bounded length', (_, text) => {
    const tokens = forms(check(text)).flat();
    expect(tokens.filter((form) => form.length > 20_000)).toEqual([]);
  });

  test('without paragraphs is cut at every sentence end, although it is read in pieces', () => {
    const text = 'The dogs bark in the garden. '.repeat(2_000);
    const sentences = check(text);
    expect(new Set(forms(sentences).map((tokens) => tokens.join(' ')))).toEqual(
      new Set(['The dogs bark in the garden .']),
    );
    expect(sentences).toHaveLength(2_000);
  });

  test('without sentence ends is cut into sentences of bounded length', () => {
    const sentences = check('and '.repeat(20_000));
    expect(Math.max(...sentences.map(({ length }) => length))).toBeLessThan(5_000);
  });

  test('of random parts is cut the same in chunks, and can be rebuilt', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 20 }), fc.constantFrom(...names), (parts, name) => {
        const part = parts.join(' ').replace(/[\ud800-\udfff]/g, '');
        check(
          part.repeat(Math.ceil(30_000 / (part.length + 1))).replace(/\n(?=\s*\n)/g, ''),
          tokenizers[name],
        );
      }),
      { numRuns: 3 },
    );
  });

  test('is returned as it arrives: a stream holds back at most a paragraph, or a piece of one', () => {
    const stream = tokenizers.English.open();
    const first = stream.push('Dogs bark.\n\nCats');
    expect(forms(first)).toEqual([['Dogs', 'bark', '.']]);
    expect(stream.push(' sleep. '.repeat(5_000)).length).toBeGreaterThan(1_000);
  });
});

describe('paragraphs', () => {
  const marks = (sentences: readonly Sentence[]) =>
    sentences.map(({ source }) => source!.text.match(/^# new\w+/gm)?.join(' ') ?? '');

  test('end at blank lines, and sentences end with them', () => {
    const sentences = cut(tokenizers.English, 'A title\n\nDogs bark. Dogs bark.\r\n \r\nCats sleep');
    expect(forms(sentences)).toEqual([
      ['A', 'title'],
      ['Dogs', 'bark', '.'],
      ['Dogs', 'bark', '.'],
      ['Cats', 'sleep'],
    ]);
    expect(marks(sentences)).toEqual(['# newdoc # newpar', '# newpar', '', '# newpar']);
  });

  test('do not end at a single line break', () => {
    expect(forms(cut(tokenizers.English, 'The dogs\nbark.'))).toEqual([['The', 'dogs', 'bark', '.']]);
  });
});

describe('text that is cut already', () => {
  test('has a sentence in every line of the layout “lines”', () => {
    const text = 'Dogs bark. Cats\nsleep\n\nall day.';
    expect(forms(cut(tokenizers.English, text, 'lines'))).toEqual([
      ['Dogs', 'bark', '.', 'Cats'],
      ['sleep'],
      ['all', 'day', '.'],
    ]);
  });

  test('has a token in every line of the layout “tokens”, and blank lines after sentences', () => {
    const text = 'Dogs.\nNew York\n\n bark\n\n';
    expect(forms(cut(tokenizers.English, text, 'tokens'))).toEqual([['Dogs.', 'New York'], ['bark']]);
  });

  test('is not cut further, however long its lines are', () => {
    const line = 'Dogs bark. '.repeat(3_000).trim();
    expect(cut(tokenizers.English, `${line}\n${line}`, 'lines')).toHaveLength(2);
    expect(forms(cut(tokenizers.English, `${line}\nbark`, 'tokens'))).toEqual([[line, 'bark']]);
  });
});

test('comments and MISC record paragraphs, text and white space', () => {
  const [first, second] = cut(tokenizers.English, '\ufeff Dogs  bark.\n\nCats\nsleep');
  expect(first!.source!.text).toBe(`# newdoc
# newpar
# sent_id = 1
# text = Dogs bark.
1	Dogs	_	_	_	_	_	_	_	SpacesAfter=\\s\\s|SpacesBefore=\ufeff\\s
2	bark	_	_	_	_	_	_	_	SpaceAfter=No
3	.	_	_	_	_	_	_	_	SpacesAfter=\\n\\n

`);
  expect(second!.source!.text).toContain('# newpar\n# sent_id = 2\n# text = Cats sleep\n');
  expect(second!.misc).toEqual(['', 'SpacesAfter=\\n', 'SpaceAfter=No']);
});

test('white space alone gives no sentences', () => {
  expect(cut(tokenizers.English, ' \n\n\t')).toEqual([]);
  expect(cut(tokenizers.English, [])).toEqual([]);
});

describe('a trained tokenizer', () => {
  test('finds words without blanks between them', () => {
    expect(forms(cut(tokenizers.dense, '他们读书。我们学习。'))).toEqual([
      ['他们', '读书', '。'],
      ['我们', '学习', '。'],
    ]);
  });

  test('finds words with blanks inside', () => {
    expect(forms(cut(tokenizers.spaced, 'sinh viên viết sách .')).flat()).toEqual([
      ...['sinh viên', 'viết', 'sách', '.'],
    ]);
    const [across] = cut(tokenizers.spaced, 'sinh\nviên đọc bài .');
    expect(surfaceTokens(across!)[0]).toMatchObject({ form: 'sinh viên', misc: 'SpacesInToken=sinh\\nviên' });
  });

  test('splits tokens of several words and keeps their case', async () => {
    const french = await learn(
      miniTreebank('le chat du=de|le roi\nle roi du=de|le pain\nil va au=à|le bois\nle chat va'),
    );
    const [sentence] = cut(french, 'Du pain va AU bois');
    expect(sentence!.forms).toEqual(['', 'De', 'le', 'pain', 'va', 'À', 'LE', 'bois']);
    expect(sentence!.source!.text).toContain('1-2\tDu\t');
  });

  async function bytes(run: TrainAnnotatorOptions): Promise<string> {
    const { annotator } = await trainAnnotator('tokenizer', await few(), {
      options: { epochs: 2, bits: 12 },
      ...run,
    });
    const writer = new ModelWriter();
    annotator.save(writer);
    return Buffer.concat([...writer.chunks()]).toString('base64');
  }

  test('is the same with the same seed, byte for byte, and differs with another seed', async () => {
    const first = await bytes({ seed: 1 });
    expect((await bytes({ seed: 1 })) === first).toBe(true);
    expect((await bytes({ seed: 2 })) === first).toBe(false);
  });

  test('is the same with a stop in its training as without', async () => {
    const checkpoints = new CheckpointFile(sandbox.path('tokenizer.model'), { resume: true });
    const controller = new AbortController();
    const onProgress = ({ isOver }: { isOver?: boolean | undefined }) => {
      if (isOver) controller.abort();
    };
    const stopped = bytes({ checkpoints, signal: controller.signal, onProgress });
    await expect(stopped).rejects.toThrow('aborted');
    expect((await bytes({ checkpoints })) === (await bytes({}))).toBe(true);
  });
});

describe('a saved tokenizer', () => {
  const saved = () => {
    const writer = new ModelWriter();
    tokenizers.English.save(writer);
    return ModelReader.fromBuffer(modelBuffer(writer), 'saved');
  };

  test('cuts as it did before', () => {
    const text = "Mr. Smith doesn't sleep. He works!";
    expect(written(cut(LinearTokenizer.load(saved()), text))).toBe(written(cut(tokenizers.English, text)));
  });

  test.each(['network', 'spaced', 'dense'] as const)('cuts as it did before (%s)', (name) => {
    const writer = new ModelWriter();
    tokenizers[name].save(writer);
    const loaded = LinearTokenizer.load(ModelReader.fromBuffer(modelBuffer(writer), name));
    const text = 'sinh viên viết sách . 他们读书。我们学习。 He works! She does not .';
    expect(written(cut(loaded, text))).toBe(written(cut(tokenizers[name], text)));
  });

  test('for texts without blanks is refused if it cannot cut them as a whole', () => {
    const writer = new ModelWriter();
    tokenizers.English.save(writer);
    writer.header.tokenizer = { ...(writer.header.tokenizer as object), isDense: true };
    const model = ModelReader.fromBuffer(modelBuffer(writer), 'old');
    expect(() => LinearTokenizer.load(model)).toThrow(InputError);
  });

  test('with missing parts is refused', () => {
    expect(() =>
      LinearTokenizer.load(ModelReader.fromBuffer(modelBuffer(new ModelWriter()), 'empty')),
    ).toThrow(InputError);
  });
});

test('any amount of white space before the first word is kept apart from it', () => {
  const text = `${' \n'.repeat(20_000)}Hello there`;
  const sentences = cut(tokenizers.English, text);
  expect(forms(sentences)).toEqual([['Hello', 'there']]);
  expect(sentences.map(textOf).join('') === text).toBe(true);
});

describe('raw text', () => {
  /** Words of two syllables, which always occur together, and words of one syllable, which combine freely. */
  const onsets = ['b', 'c', 'd', 'g', 'h', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'x'];
  const word = (onset: string) => `${onset}ay_${onset}inh`;
  const words = (onset: string, second = onset) => `${onset}anh ${second}ôi`;
  const ends = ['đọc', 'viết', 'mua'].flatMap((verb) =>
    ['sách', 'báo', 'thư'].map((thing) => `${verb} ${thing} .`),
  );
  /** Each occurs only once in the treebank, like most unknown words; those with q and z do not occur there. */
  const subjects = onsets.flatMap((onset) => [word(onset), words(onset)]);
  const treebank = () => miniTreebank(subjects.map((who, i) => `${who} ${ends[i % ends.length]}`).join('\n'));
  const all = [...onsets, 'q', 'z'];
  const text = all
    .flatMap((onset) => [word(onset), ...all.map((second) => words(onset, second))])
    .flatMap((who) => ends.map((end) => `${who} ${end}`))
    .join('\n')
    .replaceAll('_', ' ');

  const tokens = (tokenizer: Tokenizer, one: string) => forms(cut(tokenizer, one)).flat();
  test('shows which neighbours are a word that the treebank lacks, also after saving and loading', async () => {
    const tokenizer = await learn(treebank(), { bits: 18, text: sandbox.save('people.txt', text) });
    const writer = new ModelWriter();
    tokenizer.save(writer);
    const loaded = LinearTokenizer.load(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
    for (const known of [tokenizer, loaded]) {
      expect(tokens(known, 'qay qinh đọc báo .')).toEqual(['qay qinh', 'đọc', 'báo', '.']);
      expect(tokens(known, 'zanh zôi đọc báo .')).toEqual(['zanh', 'zôi', 'đọc', 'báo', '.']);
    }
    const without = await learn(treebank(), { bits: 18 });
    const counts = ['qay qinh', 'zanh zôi'].map((two) => tokens(without, `${two} đọc báo .`).length);
    expect(counts[0]).toBe(counts[1]);
  });

  test('is not used, with a notice, if blanks separate words', async () => {
    const notices: string[] = [];
    const onNotice = (notice: string) => notices.push(notice);
    const options = { bits: 14, epochs: 1, text: sandbox.path('people.txt') };
    await trainAnnotator('tokenizer', await few(), { options, onNotice });
    expect(notices.join()).toContain('the raw text is not used');
  });
});

describe('a tokenizer with a network', () => {
  test('is the same with the same seed, byte for byte', async () => {
    const trained = async () => {
      const { annotator } = await trainAnnotator('tokenizer', await few(), {
        options: { epochs: 1, bits: 12, units: 4 },
      });
      const writer = new ModelWriter();
      annotator.save(writer);
      return Buffer.concat([...writer.chunks()]);
    };
    expect((await trained()).equals(await trained())).toBe(true);
  });
});
