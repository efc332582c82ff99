import type { FastifyInstance } from 'fastify';
import { body, list, object, schemaOf, string } from '../api/schemas.ts';
import { queryParameters } from '../http/decoding.ts';
import { type EditFolder, LARGEST_FILE } from './edit-folder.ts';
import type { Learning } from './learning.ts';

const number = { type: 'number' };
const version = { ...string, description: 'The SHA-256 of the file’s bytes.' };
const replaced = 'The version to replace (another: status 409); absent: a new file.';
const whole = { ...string, description: 'The whole file, in CoNLL-U.' };
const saveBody = body({ text: whole, version: { ...string, description: replaced } }, 'text');
const fileQuery = { ...object({ name: string }), required: ['name'] };
const learnBody = body({ model: string, file: string }, 'model', 'file');
const scores = object({ uas: number, las: number });

const learningAnswer = object({
  state: { ...string, enum: ['none', 'running', 'done', 'failed'] },
  model: string,
  file: string,
  share: number,
  learnt: { ...string, description: 'The new model’s name.' },
  scores: object({ before: scores, after: scores, sentences: number, heldOut: number }),
  problem: string,
});

/** The folder of files to edit, and the training on them. */
export interface Editing {
  readonly folder: EditFolder;
  readonly learning: Learning;
}

export function editingRoutes(app: FastifyInstance, { folder, learning }: Editing): void {
  const listing = schemaOf('List the files to edit', object({ files: list(string) }));
  app.get('/v1/files', { schema: listing }, async () => ({ files: await folder.files() }));
  const reading = schemaOf('Read a file', object({ text: string, version }), { querystring: fileQuery });
  app.get('/v1/file', { schema: reading }, async ({ url }) => folder.read(nameIn(url)));
  const saving = schemaOf('Save a file', object({ version }), { querystring: fileQuery, body: saveBody });
  app.put<{ Body: { text: string; version?: string } }>(
    '/v1/file',
    { schema: saving, bodyLimit: 2 * LARGEST_FILE },
    async ({ url, body: { text, version } }) => ({ version: await folder.save(nameIn(url), text, version) }),
  );
  const state = schemaOf('State of the further training', learningAnswer);
  app.get('/v1/learn', { schema: state }, async () => learning.state);
  const schema = schemaOf('Train a model further on a file', learningAnswer, { body: learnBody });
  app.post<{ Body: { model: string; file: string } }>('/v1/learn', { schema }, async ({ body }) => {
    await learning.begin(body.model, body.file);
    return learning.state;
  });
  app.addHook('onClose', () => learning.end());
}

const nameIn = (url: string): string => queryParameters(url).get('name')!;
