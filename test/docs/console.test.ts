import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { saveEncoderFolder, smallEncoder, wordPieceTokenizer } from '../support/onnx-folder.ts';
import { cliPath } from '../support/run-cli.ts';
import { Sandbox } from '../support/sandbox.ts';

/**
 * The commands in the pages' `console` blocks, each page as one script. The names of files on the pages stand for a few
 * sentences of the bundled treebank, so that every command takes seconds. Blocks marked `sh` are run with what they print
 * by test/readme.test.ts and test/docs/teaching.test.ts.
 */
const sandbox = new Sandbox('console');
const sample = join(packageFolder, 'data', 'sample');

/** Commands that are left out, by how they begin, and why. */
const leftOut: readonly (readonly [beginning: string, why: string])[] = [
  ['npm ', 'installs, tests and tries the project, which .ci/run does'],
  ['redis-server ', 'the tests in test/experiment/queue have servers'],
  ['parliament worker ', 'the same'],
  ['parliament corpus --model english.model texts -o parsed --queue ', 'the same'],
  ['parliament experiment ladder --queue ', 'the same'],
  ['parliament experiment --status --queue ', 'the same'],
  ['parliament data get ', 'downloads; test/cli/data.test.ts has a server of its own'],
  ['train=$(parliament data path ', 'follows the download'],
  ['parliament models get ', 'downloads; test/cli/models.test.ts has a registry of its own'],
  ['parliament models make ', 'trains for half an hour; test/cli/models.test.ts makes a small model'],
  ['parliament experiment tags --treebank ', 'needs a download; the same follows with files'],
  ['curl -F data=@gold.', 'a service elsewhere'],
  ['udpipe ', 'another program'],
  ['python ', 'another program; test/docs/other-tools.test.ts imitates it'],
  ['eval "$(parliament completion ', 'changes a shell; test/cli/completion.test.ts has these shells'],
];

/** The first sentences of a file, with lemmas, which the bundled treebank does not have. */
const sentences = `sentences() { awk -v n=$2 -v RS= -v ORS='\\n\\n' 'NR <= n' "$1" | awk -F'\\t' -v OFS='\\t' 'NF == 10 { $3 = tolower($2) } 1'; }`;

/** What pages find: parts of the sample, models, their trees, and texts. */
const given = `
${sentences}
trees() { awk -v n=$2 '/^\\(/ { i++ } i <= n' "$1"; }
sentences '${sample}/train.conllu' 12 > train.conllu
sentences '${sample}/dev.conllu' 10 > dev.conllu
sentences '${sample}/test.conllu' 66 > test.conllu
trees '${sample}/train.mrg' 20 > train.mrg
trees '${sample}/dev.mrg' 10 > dev.mrg
trees '${sample}/test.mrg' 30 > test.mrg
for copy in gold new en_ewt-ud-dev; do cp test.conllu $copy.conllu; done
cp test.mrg gold.mrg
cp dev.conllu corrected.conllu

train() { parliament train "$@" --train train.conllu --quiet; }
train graph --epochs 2 --model graph.model
train transition --epochs 2 --model beam.model
train transition --epochs 2 --beam 1 --model fast.model
train bigram --model bigram.model
train network --epochs 1 --units 8 --model network.model
train tokenizer --epochs 1 --model tokenizer.model
train tagger --network-epochs 1 --model tagger.model
train lemmatizer --model lemmatizer.model
parliament train pcfg --train train.mrg --model pcfg.model --quiet
parliament pipeline tokenizer.model tagger.model lemmatizer.model network.model -o english.model
cp graph.model any-tree.model
cp graph.model my.model
cp graph.model order2.model
cp graph.model a.model
cp beam.model b.model
cp bigram.model c.model

for parser in a b c; do
  parliament parse --model $parser.model test.conllu -o $parser.conllu --quiet
  parliament parse --model $parser.model dev.conllu -o $parser.dev.conllu --quiet
  cp $parser.conllu $parser.test.conllu
  parliament parse --model pcfg.model test.mrg -o $parser.mrg --quiet
  parliament parse --model pcfg.model dev.mrg -o $parser.dev.mrg --quiet
done
for copy in graph anna stanza; do cp a.conllu $copy.conllu; done
for copy in transition eager ben udpipe udpipe-raw udpipe-tokens; do cp b.conllu $copy.conllu; done
cp c.conllu bigram.conllu
for copy in pcfg other; do cp a.mrg $copy.mrg; done
parliament convert c.conllu spacy.jsonl

parliament convert test.conllu text.txt --to text
for copy in letter new news novels more; do cp text.txt $copy.txt; done
cat text.txt text.txt > laws.txt
gzip -k news.txt novels.txt
mkdir texts
cp news.txt.gz texts
parliament parse --model tokenizer.model text.txt -o text.conllu --quiet
tr -cs 'a-z' '\\n' < text.txt | sort -u | awk 'NF { print $1, length($1), NR % 7, NR % 5 }' | gzip > vectors.txt.gz
echo '[[{"id": 1, "text": "Dogs", "upos": "NOUN", "xpos": "NNS", "head": 2, "deprel": "sbj"},
  {"id": 2, "text": "bark", "upos": "VERB", "xpos": "VBP", "head": 0, "deprel": "root"}]]' > stanza.json
mkdir -p ~/.config/fish/completions
`;

/** What a page needs beside that, or in its place. */
const givenOn: Readonly<Record<string, string>> = {
  'docs/adapting.md': 'cp network.model english.model',
  'docs/distilling.md': 'for parser in a b c; do cp pcfg.model $parser.model; done',
  // The sample's labels are not those of UD.
  'docs/explain.md': "sed -i 's/\\tvmod\\t/\\tobl\\t/' dev.conllu",
  'docs/guide.md': 'train=train.conllu dev=dev.conllu',
  'docs/phrases.md': 'cp a.mrg news.mrg; for copy in english gum; do cp news.txt.gz $copy.txt.gz; done',
  // A search needs more sentences.
  'docs/voting-members.md': `
    sentences '${sample}/dev.conllu' 64 > dev.conllu
    for parser in a b c; do parliament parse --model $parser.model dev.conllu -o $parser.dev.conllu; done
    for parser in beam right-to-left svm bigram order2 guided; do cp a.dev.conllu $parser.conllu; done`,
};

/** What shortens a training that does not say how long it is. */
const shortened = `
parliament() {
  local more=
  case "$1 $2" in
    'train graph' | 'train network' | 'train spans') more='--epochs 2' ;;
    'train transition') more='--epochs 4' ;;
    'train tagger') more='--network-epochs 2' ;;
    'train pipeline' | 'distil --'*) more='--folds 2' ;;
  esac
  if [[ " $* " == *' --guide '* ]]; then more+=' --folds 2'; fi
  if [[ " $* " =~ ' '(--epochs|--print-templates|--learner|--tag-task)' ' ]]; then more=; fi
  command parliament "$@" $more
}`;

/** The first command that fails ends a script; a service is stopped by the next one, or at the end. */
const script = (page: string, commands: readonly string[], port: number) => `
set -eEuo pipefail
trap 'echo "failed: $BASH_COMMAND" >&2' ERR
trap 'jobs -p | xargs -r kill' EXIT
${sentences}
${shortened}
curl() { command curl -sS --fail-with-body "$@"; }
serve() {
  jobs -p | xargs -r kill
  wait
  command parliament serve "$@" --port ${port} --quiet &
  until command curl -sf http://127.0.0.1:${port}/v1/models > models.json; do sleep 0.1; done
}
${givenOn[page] ?? ''}
${commands
  .map((command) =>
    command.replace(/^parliament serve/, 'serve').replaceAll('127.0.0.1:8001', `127.0.0.1:${port}`),
  )
  .join('\n')}
`;

const pages = ['README.md', ...readdirSync(join(packageFolder, 'docs')).map((name) => `docs/${name}`)]
  .filter((page) => page.endsWith('.md'))
  .map((page) => {
    const text = readFileSync(join(packageFolder, page), 'utf8').replaceAll('\\\n', ' ');
    const blocks = Array.from(text.matchAll(/^```console\n(.*?)^```$/gms), ([, block]) => block!);
    return {
      page,
      all: blocks.flatMap((block) => Array.from(block.matchAll(/^\$ (.*)$/gm), ([, line]) => line!)),
    };
  });
const isLeftOut = (command: string) => leftOut.some(([beginning]) => command.startsWith(beginning));

function run(commands: string, folder: string): Promise<{ status: unknown; stderr: string }> {
  const env = {
    ...process.env,
    HOME: sandbox.path('home'),
    PARLIAMENT_HOME: sandbox.path('home'),
    PATH: `${sandbox.path('bin')}${delimiter}${process.env.PATH}`,
  };
  const options = { cwd: sandbox.path(folder), env, maxBuffer: 1 << 26, timeout: 280_000 };
  return new Promise((resolve) => {
    execFile('bash', ['-c', commands], options, (error, _, stderr) =>
      resolve({ status: error?.code ?? error?.signal ?? 0, stderr }),
    );
  });
}

beforeAll(async () => {
  for (const folder of ['bin', 'home', 'given']) mkdirSync(sandbox.path(folder));
  const program = sandbox.save('bin/parliament', `#!/bin/sh\nexec '${process.execPath}' '${cliPath}' "$@"\n`);
  chmodSync(program, 0o755);
  const { status, stderr } = await run(`set -euo pipefail\n${given}`, 'given');
  expect({ status, stderr }).toEqual({ status: 0, stderr });
  const { tokenizer, vocab } = wordPieceTokenizer(['the']);
  saveEncoderFolder(
    sandbox.path('given/xlm-roberta'),
    smallEncoder(Object.keys(vocab).length, 24),
    tokenizer,
  );
}, 300_000);

test('what is left out is on the pages', () => {
  const commands = pages.flatMap(({ all }) => all);
  for (const [beginning] of leftOut)
    expect(commands.filter((one) => one.startsWith(beginning))).not.toEqual([]);
  expect(commands.filter((command) => !isLeftOut(command)).length).toBeGreaterThan(150);
});

needs('curl').describe('every command runs', () => {
  test.each(
    pages
      .map(({ page, all }) => ({ page, commands: all.filter((command) => !isLeftOut(command)) }))
      .filter(({ commands }) => commands.length > 0),
  )('$page', async ({ page, commands }) => {
    const folder = page.replaceAll('/', '-');
    cpSync(sandbox.path('given'), sandbox.path(folder), { recursive: true });
    const { status, stderr } = await run(script(page, commands, await freePort()), folder);
    expect(stderr).not.toMatch(/error:/);
    expect({ status, stderr }).toEqual({ status: 0, stderr });
  });
});
