import { isPipeline } from '../../combine/pipeline/is-pipeline.ts';
import { openPipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { checkMemberCount } from '../../combine/vote/ballots.ts';
import { openParser } from '../../parsers/registry.ts';
import { copyOf } from '../../parsers/run/model-copy.ts';
import { UsageError } from '../../src/errors.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { Ability, FileModel, NamedFile, NamedVote, ServedModel, VoteModel } from './served-model.ts';

/**
 * Reads the models that are to be served, verifies them, and puts the votes after them.
 *
 * @throws InputError for a file that holds neither a parser nor a pipeline, or is damaged
 * @throws UsageError for a name that is given twice, and for votes of models that are not there
 */
export async function readModels(
  files: readonly NamedFile[],
  votes: readonly NamedVote[],
): Promise<ServedModel[]> {
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
  const { tokenizer, annotators, parser } = await openPipeline(model);
  const abilities: Ability[] = [];
  if (tokenizer !== undefined) abilities.push('tokenizer');
  if (annotators.length > 0) abilities.push('tagger');
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
    if (found === undefined) {
      throw new UsageError(`${name}: no model is called ${member}, expected some of ${known}`);
    }
    if (!found.abilities.includes('parser')) throw new UsageError(`${name}: ${member} has no parser`);
    return found;
  });
  return { name, kind: 'vote', abilities: voting[0].abilities, members };
}
