import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { needs } from '../support/needs.ts';
import { runHere } from '../support/run-in-process.ts';
import { Sandbox } from '../support/sandbox.ts';

/** Handmade files in the formats of the tools of docs/other-tools.md: two sentences, one with a multiword token. */
const sandbox = new Sandbox('other-tools');

const rows = (...lines: string[]) => `${lines.map((line) => `${line.replaceAll(' ', '\t')}\n`).join('')}\n`;
const gold =
  '# newdoc id = d\n# sent_id = d-1\n# text = Dogs bark.\n' +
  rows(
    '1 Dogs dog NOUN NNS Number=Plur 2 nsubj _ _',
    '2 bark bark VERB VBP _ 0 root _ SpaceAfter=No',
    '3 . . PUNCT . _ 2 punct _ _',
  ) +
  '# sent_id = d-2\n# text = She cannot sleep.\n' +
  rows(
    '1 She she PRON PRP _ 4 nsubj _ _',
    '2-3 cannot _ _ _ _ _ _ _ _',
    '2 can can AUX MD _ 4 aux _ _',
    '3 not not PART RB _ 4 advmod _ _',
    '4 sleep sleep VERB VB _ 0 root _ SpaceAfter=No',
    '5 . . PUNCT . _ 4 punct _ _',
  );
sandbox.save('gold.conllu', gold);

/** From tokens: words instead of multiword tokens, numbers for ids, character offsets in MISC; one head is wrong. */
sandbox.save(
  'stanza.conllu',
  `# text = Dogs bark .\n# sent_id = 0\n${rows(
    '1 Dogs dog NOUN NNS Number=Plur 2 nsubj _ start_char=0|end_char=4',
    '2 bark bark VERB VBP VerbForm=Fin 0 root _ start_char=5|end_char=9',
    '3 . . PUNCT . _ 2 punct _ start_char=10|end_char=11|ner=O',
  )}# text = She can not sleep .\n# sent_id = 1\n${rows(
    '1 She she PRON PRP _ 4 nsubj _ start_char=13|end_char=16',
    '2 can can AUX MD _ 4 aux _ start_char=17|end_char=20',
    '3 not not PART RB _ 2 advmod _ start_char=21|end_char=24',
    '4 sleep sleep VERB VB _ 0 root _ start_char=25|end_char=30',
    '5 . . PUNCT . _ 4 punct _ start_char=31|end_char=32',
  )}`,
);

/** From raw text: UDPipe's own ids, paragraphs, and white space in MISC; one head is wrong. */
const udpipe =
  '# newdoc id = gold.txt\n# newpar\n# sent_id = 1\n# text = Dogs bark.\n' +
  rows(
    '1 Dogs dog NOUN NNS Number=Plur 2 nsubj _ _',
    '2 bark bark VERB VBP _ 0 root _ SpaceAfter=No',
    '3 . . PUNCT . _ 2 punct _ SpacesAfter=\\n\\n',
  ) +
  '# newpar\n# sent_id = 2\n# text = She cannot sleep.\n' +
  rows(
    '1 She she PRON PRP _ 4 nsubj _ _',
    '2-3 cannot _ _ _ _ _ _ _ _',
    '2 can can AUX MD _ 3 aux _ _',
    '3 not not PART RB _ 4 advmod _ _',
    '4 sleep sleep VERB VB _ 0 root _ SpaceAfter=No',
    '5 . . PUNCT . _ 4 punct _ SpacesAfter=\\n',
  );
sandbox.save('udpipe.conllu', udpipe);
/** The answer of the service, as `jq -r .result` prints it. */
sandbox.save('udpipe2.conllu', `# generator = UDPipe 2\n# udpipe_model = english\n${udpipe}\n`);

/** From the recipe for spaCy: a label of spaCy's own, and a sentence with two roots. */
sandbox.save(
  'spacy.jsonl',
  [
    '{"id": "d-1", "text": "Dogs bark.", "tokens": [{"form": "Dogs", "lemma": "dog", "upos": "NOUN", "xpos": "NNS", "feats": "Number=Plur", "head": 2, "deprel": "nsubj"}, {"form": "bark", "upos": "VERB", "head": 0, "deprel": "root", "misc": "SpaceAfter=No"}, {"form": ".", "upos": "PUNCT", "head": 2, "deprel": "punct"}]}',
    '{"id": "d-2", "tokens": [{"form": "She", "head": 4, "deprel": "nsubj"}, {"form": "can", "head": 4, "deprel": "aux"}, {"form": "not", "head": 4, "deprel": "neg"}, {"form": "sleep", "head": 0, "deprel": "root"}, {"form": ".", "head": 0, "deprel": "root"}]}',
    '',
  ].join('\n'),
);

const tools = ['stanza.conllu', 'udpipe.conllu', 'udpipe2.conllu', 'spacy.jsonl'];
const three = tools.filter((file) => file !== 'udpipe2.conllu');
const parliament = (...args: string[]) => runHere(args, { cwd: sandbox.folder });

describe('the unchanged output of other tools', () => {
  test.each([
    ['stanza.conllu', 87.5, 87.5],
    ['udpipe.conllu', 87.5, 87.5],
    ['udpipe2.conllu', 87.5, 87.5],
    ['spacy.jsonl', 87.5, 75],
  ])('is scored by evaluate: %s', async (file, uas, las) => {
    const { status, stdout } = await parliament('evaluate', 'gold.conllu', file, '--json');
    expect(status).toBe(0);
    const text = JSON.stringify(JSON.parse(stdout));
    expect(text).toContain(`"uas":${uas}`);
    expect(text).toContain(`"las":${las}`);
  });

  test('is compared by compare', async () => {
    const { status, stdout } = await parliament('compare', 'gold.conllu', ...tools);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^gold\.conllu: 4 parsers, 2 sentences, 8 tokens scored\.$/m);
    expect(stdout).toMatch(/^spacy\.jsonl +87\.50 .* 75\.00 /m);
  });

  test('is combined by vote, with the words and columns of the first file', async () => {
    const { status } = await parliament('vote', ...three, '-o', 'voted.conllu');
    expect(status).toBe(0);
    const columns = (text: string) =>
      text.match(/^\d+\t.*$/gm)!.map((row) => row.split('\t').slice(6, 8).join(' '));
    expect(columns(sandbox.read('voted.conllu'))).toEqual(columns(gold));
    expect(sandbox.read('voted.conllu')).toContain('start_char=31|end_char=32');
    expect((await parliament('vote', ...three.toReversed(), '-o', 'voted.jsonl')).status).toBe(0);
    const [, second] = sandbox.read('voted.jsonl').trimEnd().split('\n');
    expect(JSON.parse(second!).tokens.map(({ head }: { head: number }) => head)).toEqual([4, 4, 4, 0, 4]);
  });

  test('is converted from JSON to CoNLL-U, to JSON and back, and to raw text', async () => {
    expect((await parliament('convert', 'spacy.jsonl', '-', '--to', 'conllu')).stdout).toMatch(
      /^# sent_id = d-1\n# text = Dogs bark\.\n1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_\n/,
    );
    for (const file of ['stanza.conllu', 'udpipe.conllu']) {
      expect((await parliament('convert', file, 'copy.jsonl')).status).toBe(0);
      expect((await parliament('convert', 'copy.jsonl', '-', '--to', 'conllu')).stdout).toBe(
        sandbox.read(file),
      );
    }
    const text = 'Dogs bark.\n\nShe cannot sleep.\n';
    expect((await parliament('convert', 'udpipe.conllu', '-', '--to', 'text')).stdout).toBe(text);
  });
});

/** The part of spaCy that the recipe uses; it attaches each word, mark or white space to the token before it. */
const imitation = `
import re


class Token:
    def __init__(self, doc, i, text, space):
        self.doc, self.i, self.text, self.whitespace_ = doc, i, text, space
        self.lemma_, self.pos_, self.tag_, self.morph = text.lower(), "X", "", ""
        self.dep_ = "dep" if i > 0 else "ROOT"
        self.is_space = text.isspace()
        self.head = doc.tokens[i - 1] if i > 0 else self


class Doc:
    def __init__(self, vocab, words, spaces, sent_starts=None):
        self.tokens = []
        for i, (word, space) in enumerate(zip(words, spaces)):
            self.tokens.append(Token(self, i, word, " " if space else ""))
        self.sents = [self]
        self.text = "".join(t.text + t.whitespace_ for t in self.tokens)

    def __getitem__(self, place):
        return self.tokens[place]


class Language:
    vocab = None

    def pipe(self, given, as_tuples=False):
        for each in given:
            doc, about = each if as_tuples else (each, None)
            if isinstance(doc, str):
                found = re.findall(r"(\\w+|[^\\w\\s]|\\s+)( ?)", doc)
                doc = Doc(None, [word for word, _ in found], [space != "" for _, space in found])
            yield (doc, about) if as_tuples else doc


def load(name):
    return Language()
`;

describe('the recipe for spaCy', () => {
  const page = readFileSync(join(packageFolder, 'docs', 'other-tools.md'), 'utf8');
  const [, recipe] = /^```python\n# (?=spacy_parse)(.*?)^```$/ms.exec(page)!;
  const spacyParse = (path: string) => {
    mkdirSync(sandbox.path('spacy'), { recursive: true });
    sandbox.save('spacy/__init__.py', imitation);
    sandbox.save('spacy/tokens.py', 'from spacy import Doc\n');
    sandbox.save('spacy_parse.py', `# ${recipe}`);
    const env = { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' };
    return execFileSync('python3', ['spacy_parse.py', 'model', path], {
      cwd: sandbox.folder,
      env,
      encoding: 'utf8',
    });
  };

  needs('python3').test('keeps the tokens, ids and texts of a gold file', async () => {
    await parliament('convert', 'gold.conllu', 'gold.jsonl');
    sandbox.save('parsed.jsonl', spacyParse('gold.jsonl'));
    const { stdout } = await parliament('convert', 'parsed.jsonl', '-', '--to', 'conllu');
    expect(stdout).toMatch(
      /^# sent_id = d-1\n# text = Dogs bark\.\n1\tDogs\tdogs\tX\t_\t_\t0\troot\t_\t_\n2\tbark\t/,
    );
    expect(stdout).toMatch(/^2\tbark\tbark\tX\t_\t_\t1\tdep\t_\tSpaceAfter=No$/m);
    expect((await parliament('compare', 'gold.conllu', 'parsed.jsonl', 'stanza.conllu')).status).toBe(0);
  });

  needs('python3').test('leaves out the tokens of raw text that are white space', async () => {
    sandbox.save('raw.txt', 'Dogs\n bark!\n\nShe  sleeps\n');
    sandbox.save('raw.jsonl', spacyParse('raw.txt'));
    const { stdout } = await parliament('convert', 'raw.jsonl', '-', '--to', 'conllu');
    const rows = stdout.match(/^\d.*$/gm)!.map((row) =>
      row
        .split('\t')
        .filter((_, i) => [0, 1, 6, 9].includes(i))
        .join(' '),
    );
    expect(rows).toEqual(['1 Dogs 0 _', '2 bark 1 SpaceAfter=No', '3 ! 2 _', '1 She 0 _', '2 sleeps 1 _']);
  });
});
