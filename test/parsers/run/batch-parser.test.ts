import { describe, expect, it } from 'vitest';
import { type ParserImplementation, withParseAll } from '../../../parsers/parser.ts';
import { type BatchOptions, parseBatch, type SentenceParser } from '../../../parsers/run/batch-parser.ts';
import { InputError, UsageError } from '../../../src/errors.ts';
import { LeftNeighbourParser } from '../../support/left-neighbour.ts';

const parser = withParseAll(new LeftNeighbourParser(new Int32Array(1)));
const good = '# text = Dogs bark\n1\tDogs\t_\t_\t_\t_\t_\t_\t_\tx=y\n2\tbark\t_\t_\t_\t_\t0\troot\t_\t_\n\n';
const parsed = good.replace('_\t_\t_\tx=y', '0\tnext\t_\tx=y').replace('0\troot', '1\tnext');
const bad = '1\tOops\t_\t_\t_\t_\t7\tdep\t_\t_\n\n';

function parse(text: string, skipInvalid: boolean) {
  return parseBatch(parser, { file: 'in.conllu', line: 101, text }, { format: 'conllu', skipInvalid });
}

describe('parsing a batch of text', () => {
  it('changes heads and labels and nothing else', () => {
    expect(parse(good + good, false)).toEqual({
      text: parsed + parsed,
      sentences: 2,
      tokens: 4,
      skipped: [],
      marks: [],
      failed: [],
      notices: [],
      unseen: {},
      fault: undefined,
    });
  });

  it('stops at the first malformed sentence and gives its line in the file', () => {
    const { fault } = parse(good + bad + good, false);
    expect(fault?.place).toEqual({ file: 'in.conllu', line: 105 });
    expect(fault?.problem).toMatch(/^head 7\b/);
  });

  it('skips malformed sentences and lists their places if skipInvalid is set', () => {
    const { text, sentences, skipped, fault } = parse(good + bad + good + bad, true);
    expect({ text, sentences, fault }).toEqual({ text: parsed + parsed, sentences: 2, fault: undefined });
    expect(skipped.map(({ place }) => place.line)).toEqual([105, 111]);
  });

  it('gives the parser’s notices with the places of their sentences', () => {
    const talkative: ParserImplementation = {
      paradigm: parser.paradigm,
      reads: [],
      save: () => undefined,
      parse: (sentence) => ({ ...parser.parse(sentence), notices: [`${sentence.length} tokens`] }),
    };
    const batch = { file: 'in.conllu', line: 101, text: good + good };
    const { notices } = parseBatch(withParseAll(talkative), batch, { format: 'conllu', skipInvalid: false });
    expect(notices).toEqual(['in.conllu:101: 2 tokens', 'in.conllu:105: 2 tokens']);
  });

  it('writes phrases as brackets, one tree per line, if the parser finds phrases', () => {
    const flat: ParserImplementation = {
      paradigm: 'flat',
      reads: [],
      save: () => undefined,
      parse: (sentence) => ({
        ...parser.parse(sentence),
        phrases: {
          label: 'TOP',
          children: sentence.forms.slice(1).map((form) => ({ label: 'X', form, children: [] })),
        },
        notices: ['flat'],
      }),
    };
    const batch = { file: 'in.conllu', line: 1, text: good + good };
    const options = { format: 'conllu', to: 'brackets', skipInvalid: false } as const;
    const { text, notices } = parseBatch(withParseAll(flat), batch, options);
    expect(text).toBe('(TOP (X Dogs) (X bark))\n'.repeat(2));
    expect(notices).toEqual(['in.conllu:1: flat', 'in.conllu:5: flat']);
    expect(() => parseBatch(parser, batch, options)).toThrow(
      'heads and labels, which this parser finds, do not fit into brackets: use to conllu, or convert the file to CoNLL-U first',
    );
  });

  describe('with several trees per sentence', () => {
    const ranked = [
      [0, 0.2],
      [1, 0.5],
      [0, 0.4],
    ] as const;
    const treeOf = (head: number) => ({
      heads: Int32Array.of(-1, head, 0),
      labels: ['', 'x', 'y'],
      notices: [],
    });
    const several: SentenceParser = {
      reads: [],
      parse: () => treeOf(0),
      parseAll: (sentences) => sentences.map(() => treeOf(0)),
      nBest: () => ranked.map(([head, probability]) => ({ ...treeOf(head), probability })),
    };
    const ranking = (text: string, options: Partial<BatchOptions> = {}) =>
      parseBatch(
        several,
        { file: 'in.conllu', line: 1, text },
        { format: 'conllu', skipInvalid: false, nBest: 3, ...options },
      ).text;
    const tokens = (head: number) =>
      `1\tDogs\t_\t_\t_\t_\t${head}\tx\t_\tx=y\n2\tbark\t_\t_\t_\t_\t0\ty\t_\t_\n\n`;
    const best = `# tree = 1 of 2\n# probability = 0.600\n${tokens(0)}`;
    const second = `# tree = 2 of 2\n# probability = 0.500\n${tokens(1)}`;

    it('merges equal trees, and adds rank and probability after the other comments', () => {
      expect(ranking(good + good)).toBe(`# text = Dogs bark\n${best}# text = Dogs bark\n${second}`.repeat(2));
      const text = `\ufeff\n# text = Dogs\u2028bark\n# tree = 1 of 7\n# probability = 1\n${tokens(0).trimEnd()}`;
      const written = `\ufeff\n# text = Dogs\u2028bark\n${best}# text = Dogs\u2028bark\n${second}`;
      expect(ranking(text)).toBe(written);
      expect(ranking(text.replaceAll('\n', '\r\n'))).toBe(written.replaceAll('\n', '\r\n'));
    });

    it.each(['conllx', 'conllup', 'three-column'] as const)(
      'refuses %s, which cannot distinguish them',
      (to) => {
        expect(() => ranking(good, { to })).toThrow(
          `nBest writes CoNLL-U, JSON or brackets, not ${to}: add to conllu`,
        );
      },
    );
  });

  it('writes heads and labels in another format, also for input in brackets', () => {
    const batch = { file: 'in.mrg', line: 1, text: '( (S (NP (NNS Dogs)) (VP (VBP bark))))\n' };
    const { text } = parseBatch(parser, batch, { format: 'brackets', to: 'conllu', skipInvalid: false });
    expect(text).toBe('1\tDogs\t_\tNOUN\tNNS\t_\t0\tnext\t_\t_\n2\tbark\t_\tVERB\tVBP\t_\t1\tnext\t_\t_\n\n');
  });

  describe('with a sentence on which the parser fails', () => {
    const other = good.replaceAll('Dogs', 'Cats');
    const untreed = other.replace('0\troot', '_\t_');
    const batch = { file: 'in.conllu', line: 101, text: good + other + good };
    const failing = (error: Error) =>
      withParseAll<ParserImplementation>({
        ...{ paradigm: parser.paradigm, reads: [], save: () => undefined },
        parse: (sentence) => {
          if (sentence.forms.includes('Cats')) throw error;
          return parser.parse(sentence);
        },
      });
    const options = { format: 'conllu', skipInvalid: false } as const;

    it('writes the sentence without a tree, and reports the failure', () => {
      const { text, sentences, tokens, failed } = parseBatch(
        failing(new TypeError('no cats')),
        batch,
        options,
      );
      expect({ text, sentences, tokens }).toEqual({
        text: parsed + untreed + parsed,
        sentences: 3,
        tokens: 6,
      });
      expect(failed).toEqual([{ problem: 'TypeError: no cats', place: { file: 'in.conllu', line: 105 } }]);
    });

    it('stops if the input or the options are wrong, but for plain text only if the options are', () => {
      const picky = failing(new InputError('too many cats', { file: 'in.conllu', line: 105 }));
      expect(parseBatch(picky, batch, options).fault?.problem).toBe('too many cats');
      const ofText = parseBatch(picky, batch, { ...options, isText: true });
      expect(ofText.text).toBe(parsed + untreed + parsed);
      expect(ofText.failed).toEqual([{ problem: 'too many cats', place: { file: 'in.conllu', line: 105 } }]);
      const unusable = failing(new UsageError('no cats'));
      expect(() => parseBatch(unusable, batch, { ...options, isText: true })).toThrow('no cats');
    });
  });

  it('gives results that can be sent between threads', () => {
    const result = parse(good + bad, false);
    expect(structuredClone(result)).toEqual(result);
  });
});
