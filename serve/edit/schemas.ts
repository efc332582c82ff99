const string = { type: 'string' };
const number = { type: 'number' };

function object(properties: object) {
  return { type: 'object', properties };
}

function body(properties: object, required: readonly string[]) {
  return { type: 'object', additionalProperties: false, required, properties };
}

const version = { ...string, description: 'The SHA-256 of the file’s bytes.' };

export const filesAnswer = object({ files: { type: 'array', items: string } });
export const fileAnswer = object({ text: string, version });
export const savedAnswer = object({ version });
export const saveBody = body(
  {
    text: { ...string, description: 'The whole file, in CoNLL-U.' },
    version: { ...string, description: 'The version to replace (another: status 409); absent: a new file.' },
  },
  ['text'],
);
export const learnBody = body({ model: string, file: string }, ['model', 'file']);

const scores = object({ uas: number, las: number });

export const learningAnswer = object({
  state: { ...string, enum: ['none', 'running', 'done', 'failed'] },
  model: string,
  file: string,
  share: number,
  learnt: { ...string, description: 'The new model’s name.' },
  scores: object({ before: scores, after: scores, sentences: number, heldOut: number }),
  problem: string,
});
