import { isPipeline } from '../../annotators/registry.ts';
import { openPipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { checkMemberCount } from '../../combine/vote/ballots.ts';
import { copyOf, type ModelCopy, openParser } from '../../parsers/registry.ts';
import { UsageError } from '../../src/errors.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import { annotatedColumns } from '../../src/treebank/columns/names.ts';
import { RequestError } from '../http/errors.ts';

/** A step that a model can do, as named by UDPipe's service; a tagger also predicts lemmas and features. */
export type Ability = 'tokenizer' | 'tagger' | 'parser';

/** A model from a file in shared memory: its weights exist once for all threads. */
export interface FileModel {
  readonly name: string;
  readonly kind: 'pipeline' | 'parser';
  readonly abilities: readonly Ability[];
  readonly copy: ModelCopy;
}

/** A vote, weighted by paradigm; the first member tokenizes, and tags for members without a tagger. */
export interface VoteModel extends NamedVote {
  readonly kind: 'vote';
  readonly abilities: readonly Ability[];
}

export type ServedModel = FileModel | VoteModel;

export interface NamedFile {
  readonly name: string;
  readonly file: string;
}

export interface NamedVote {
  readonly name: string;
  readonly members: readonly string[];
}

/** Finds a model by its name or, as in UDPipe, by the part before a hyphen; default: the first model. */
export function findModel(models: readonly ServedModel[], name = ''): ServedModel {
  if (name === '') return models[0];
  const found =
    models.find((model) => model.name === name) ?? models.find((model) => model.name.startsWith(`${name}-`));
  if (found === undefined) throw new RequestError(`there is no model called ${shortened(name)}`);
  return found;
}

export function checkAbilities({ name, abilities }: ServedModel, asked: readonly Ability[]): void {
  const missing = asked.find((ability) => !abilities.includes(ability));
  if (missing !== undefined) throw new RequestError(`the model ${name} has no ${missing}`);
}

const LONGEST = 60;

function shortened(name: string): string {
  const line = JSON.stringify(name);
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…"`;
}

/** Reads and verifies the models, votes last; throws `InputError` for files, `UsageError` for names. */
export async function readModels(files: readonly NamedFile[], votes: readonly NamedVote[]) {
  const names = [...files, ...votes].map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new UsageError(`two models are called ${twice}, expected different names`);
  const models: FileModel[] = [];
  for (const { name, file } of files) models.push(await readModel(name, readModelFile(file)));
  return [...models, ...votes.map((vote) => voteOf(vote, models))];
}

async function readModel(name: string, model: ModelReader): Promise<FileModel> {
  const copy = copyOf(model);
  if (!isPipeline(model)) {
    await openParser(model);
    return { name, kind: 'parser', abilities: ['parser'], copy };
  }
  const pipeline = await openPipeline(model);
  const { tokenizer, parser } = pipeline;
  const abilities: Ability[] = [];
  if (tokenizer !== undefined) abilities.push('tokenizer');
  // A network may tag, too.
  if (annotatedColumns.some((column) => pipeline.fills(column))) abilities.push('tagger');
  if (parser !== undefined) abilities.push('parser');
  return { name, kind: 'pipeline', abilities, copy };
}

function voteOf({ name, members }: NamedVote, models: readonly FileModel[]): VoteModel {
  checkMemberCount(members.length);
  const twice = members.find((member, i) => members.indexOf(member) < i);
  if (twice !== undefined)
    throw new UsageError(`${name}: ${twice} is named twice, expected different models`);
  const voting = members.map((member) => {
    const found = models.find((model) => model.name === member);
    const known = models.map((model) => model.name).join(', ');
    if (found === undefined)
      throw new UsageError(`${name}: no model is called ${member}, expected some of ${known}`);
    if (!found.abilities.includes('parser')) throw new UsageError(`${name}: ${member} has no parser`);
    return found;
  });
  return { name, kind: 'vote', abilities: voting[0].abilities, members };
}
