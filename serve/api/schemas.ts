/** JSON Schemas of the interface below `/v1/`, which validate requests and appear in the OpenAPI document. */

export const list = (items: object) => ({ type: 'array', items });

export const object = (properties: object) => ({ type: 'object', properties });

export function body(properties: object, ...required: readonly string[]) {
  const fields = { ...(required.length > 0 && { required }), properties };
  return { type: 'object', additionalProperties: false, ...fields };
}

export const string = { type: 'string' };
const number = (description: string) => ({ type: 'integer', description });
const choice = (description: string) => ({ type: 'boolean', description });
const strings = list(string);

const input = {
  text: { ...string, description: 'Text, for a model with a tokenizer.' },
  layout: {
    ...string,
    enum: ['text', 'lines', 'tokens'],
    description:
      'Layout of the text: running text, one sentence per line, or one token per line with blank lines between sentences.',
  },
  sentences: {
    ...string,
    description:
      'Tokenized sentences, as in a file: CoNLL-U, CoNLL-X, form/tag/head, JSON Lines, or brackets.',
  },
};

const inputForModel = {
  model: { ...string, description: 'Default: the first model.' },
  ...input,
  keep: {
    ...list({ ...string, enum: ['tags', 'lemmas'] }),
    description: 'The annotation of the sentences that a pipeline keeps; it predicts the rest anew.',
  },
};

export const parseBody = body({
  ...inputForModel,
  confidence: choice('Write the confidences of arcs, tags, lemmas and tokens into `misc`; default: no.'),
});

const token = {
  type: 'object',
  required: ['form'],
  properties: {
    id: { type: ['integer', 'string'] },
    form: string,
    lemma: string,
    upos: string,
    xpos: string,
    feats: string,
    head: number('The number of the head, from 1; 0 for the root.'),
    deprel: string,
    deps: string,
    misc: string,
  },
};

const sentence = {
  type: 'object',
  required: ['tokens'],
  description: 'The columns of CoNLL-U by name; `_` is left out.',
  properties: {
    id: string,
    text: string,
    newdoc: {},
    newpar: {},
    comments: strings,
    tokens: list(token),
    multiwordTokens: list(token),
    emptyNodes: list(token),
  },
};

const notices = {
  ...strings,
  description: 'Remarks for users, such as that the sentences lack columns; absent: none.',
};

export const parseAnswer = object({ model: string, sentences: list(sentence), notices });

export const compareBody = body({
  models: {
    ...strings,
    minItems: 1,
    maxItems: 20,
    description:
      'Default: all except votes. The first tokenizes text, and tags it for models without a tagger.',
  },
  ...input,
  vote: choice('Add the vote of the models, with equal weights; default: yes.'),
  confidence: choice('Add `confidences` to the trees; default: no.'),
});

/** Lists have one entry per word, in order. */
const tree = {
  heads: list({ type: 'integer' }),
  labels: strings,
  confidences: {
    ...list({ type: 'number' }),
    description: 'With `confidence`: the confidence in each head, 0 to 1, if the model has confidences.',
  },
  conllu: string,
};

const ballots = {
  ...list(list(object({ head: { type: 'integer' }, label: string, models: strings }))),
  description: 'The candidate arcs of each word, most votes first.',
};

export const compareAnswer = object({
  models: strings,
  sentences: list(
    object({
      id: string,
      text: string,
      forms: strings,
      trees: list(object({ model: string, upos: strings, xpos: strings, ...tree, notices })),
      vote: object({ ...tree, ballots }),
    }),
  ),
});

export const explainBody = body({
  ...inputForModel,
  sentence: { type: 'integer', minimum: 1, description: 'Number of the sentence, from 1; default: 1.' },
  arc: number('Explain the arc of this token feature by feature, for parsers that score arcs.'),
  step: number('Explain this step feature by feature, for transition-based parsers.'),
});

export const explainAnswer = object({
  model: string,
  sentence: { type: 'integer' },
  explanation: {
    ...object({ paradigm: string }),
    description: 'The JSON of `parliament explain`; its fields depend on the paradigm.',
    required: ['paradigm'],
  },
});

export const modelsAnswer = object({
  models: list(
    object({
      name: string,
      kind: { ...string, enum: ['pipeline', 'parser', 'vote'] },
      abilities: list({ ...string, enum: ['tokenizer', 'tagger', 'parser'] }),
      members: strings,
    }),
  ),
  edits: choice('Whether there is a folder of files to edit.'),
  unsure: choice('Whether the page opens the first file at the word with the lowest confidence.'),
});

const errorAnswer = {
  ...object({ error: string }),
  description:
    'The error of the request (400, 413, 415, 429), or why it could not be answered (500, 503, 507).',
};

/** The schema of a route; `given` has the schemas of its body and query. */
export function schemaOf(summary: string, answer: object, given: object = {}) {
  return { summary, ...given, response: { 200: answer, '4xx': errorAnswer, '5xx': errorAnswer } };
}
