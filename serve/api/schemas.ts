/** JSON Schemas of the service's own interface: requests are checked by them, and OpenAPI shows them. */

const strings = { type: 'array', items: { type: 'string' } } as const;
const numbers = { type: 'array', items: { type: 'integer' } } as const;

/** The input: text or sentences. */
const words = {
  text: { type: 'string', description: 'Text, for a model with a tokenizer.' },
  layout: {
    type: 'string',
    enum: ['text', 'lines', 'tokens'],
    description:
      'How the text is split already: not at all, one sentence per line, or one token per line with blank lines between sentences.',
  },
  sentences: {
    type: 'string',
    description: 'Tokenized sentences: CoNLL-U, CoNLL-X, form/tag/head, JSON Lines, or brackets.',
  },
} as const;

/** The input for one model. */
const wordsForModel = {
  model: { type: 'string', description: 'Default: the first model.' },
  ...words,
  keep: {
    type: 'array',
    items: { type: 'string', enum: ['tags', 'lemmas'] },
    description: 'The annotation of the sentences to keep; the rest is predicted anew.',
  },
} as const;

export const parseBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...wordsForModel,
    confidence: {
      type: 'boolean',
      description: 'Write the confidence of each arc into `misc`; default: no.',
    },
  },
} as const;

const token = {
  type: 'object',
  required: ['form'],
  properties: {
    id: { type: ['integer', 'string'] },
    form: { type: 'string' },
    lemma: { type: 'string' },
    upos: { type: 'string' },
    xpos: { type: 'string' },
    feats: { type: 'string' },
    head: { type: 'integer', description: 'The number of the head, from 1; 0 for the root.' },
    deprel: { type: 'string' },
    deps: { type: 'string' },
    misc: { type: 'string' },
  },
} as const;

const sentence = {
  type: 'object',
  required: ['tokens'],
  description: 'The columns of CoNLL-U by name; `_` is left out.',
  properties: {
    id: { type: 'string' },
    text: { type: 'string' },
    newdoc: {},
    newpar: {},
    comments: strings,
    tokens: { type: 'array', items: token },
    multiwordTokens: { type: 'array', items: token },
    emptyNodes: { type: 'array', items: token },
  },
} as const;

export const parseAnswer = {
  type: 'object',
  properties: { model: { type: 'string' }, sentences: { type: 'array', items: sentence } },
} as const;

export const compareBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    models: {
      ...strings,
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description: 'Default: all. The first tokenizes text, and tags it for those that have no tagger.',
    },
    ...words,
    vote: {
      type: 'boolean',
      description: 'Add the tree that the models vote for, with equal weights; default: yes.',
    },
    confidence: { type: 'boolean', description: 'Add `confidences` to the trees; default: no.' },
  },
} as const;

/** Lists have one entry per word, in order. */
const tree = {
  heads: numbers,
  labels: strings,
  confidences: {
    type: 'array',
    items: { type: 'number' },
    description: 'With `confidence`: the confidence in each head, 0 to 1, if the model has one.',
  },
  conllu: { type: 'string' },
} as const;

const ballots = {
  type: 'array',
  description: 'The candidate arcs of each word, most votes first.',
  items: {
    type: 'array',
    items: {
      type: 'object',
      properties: { head: { type: 'integer' }, label: { type: 'string' }, models: strings },
    },
  },
} as const;

export const compareAnswer = {
  type: 'object',
  properties: {
    models: strings,
    sentences: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          forms: strings,
          trees: {
            type: 'array',
            items: {
              type: 'object',
              properties: { model: { type: 'string' }, upos: strings, xpos: strings, ...tree },
            },
          },
          vote: { type: 'object', properties: { ...tree, ballots } },
        },
      },
    },
  },
} as const;

export const explainBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...wordsForModel,
    sentence: { type: 'integer', minimum: 1, description: 'Number of the sentence, from 1; default: 1.' },
    arc: {
      type: 'integer',
      description: 'Explain the arc of this token feature by feature, for parsers that score arcs.',
    },
    step: {
      type: 'integer',
      description: 'Explain this step feature by feature, for transition-based parsers.',
    },
  },
} as const;

export const explainAnswer = {
  type: 'object',
  properties: {
    model: { type: 'string' },
    sentence: { type: 'integer' },
    explanation: {
      type: 'object',
      description: 'The JSON of `parliament explain`; its fields depend on the paradigm.',
      properties: { paradigm: { type: 'string' } },
      required: ['paradigm'],
    },
  },
} as const;

export const modelsAnswer = {
  type: 'object',
  properties: {
    models: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          kind: { type: 'string', enum: ['pipeline', 'parser', 'vote'] },
          abilities: { type: 'array', items: { type: 'string', enum: ['tokenizer', 'tagger', 'parser'] } },
          members: strings,
        },
      },
    },
  },
} as const;

export const errorAnswer = {
  type: 'object',
  description:
    'What is wrong with the request (400, 413, 415, 429), or why it could not be answered (500, 503).',
  properties: { error: { type: 'string' } },
} as const;
