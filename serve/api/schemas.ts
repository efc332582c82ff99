/** What the service's own interface takes and gives, as JSON Schema: requests are checked by it, OpenAPI shows it. */

const strings = { type: 'array', items: { type: 'string' } } as const;
const numbers = { type: 'array', items: { type: 'integer' } } as const;

/** Words, in one of two ways. */
const words = {
  text: { type: 'string', description: 'Text, for a model with a tokenizer.' },
  layout: {
    type: 'string',
    enum: ['text', 'lines', 'tokens'],
    description:
      'How the text is cut already: not at all, one sentence per line, or one token per line and blank lines between sentences.',
  },
  sentences: {
    type: 'string',
    description:
      'Sentences that are cut into words: CoNLL-U, CoNLL-X, form/tag/head, JSON Lines, or brackets.',
  },
} as const;

/** Words for one model. */
const wordsForModel = {
  model: { type: 'string', description: 'Left out: the first model.' },
  ...words,
  keep: {
    type: 'array',
    items: { type: 'string', enum: ['tags', 'lemmas'] },
    description: 'What stays of the annotation that sentences have; the rest is found anew.',
  },
} as const;

export const parseBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...wordsForModel,
    confidence: {
      type: 'boolean',
      description: 'Whether `misc` is to say how sure the parser is of each arc; left out: no.',
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
  description: 'The columns of CoNLL-U by their names; what is `_` there is left out.',
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
      description:
        'Left out: all. Words are those that the first one finds, and so are tags for those that do not tag themselves.',
    },
    ...words,
    vote: { type: 'boolean', description: 'Whether the models also vote, all as heavy; left out: yes.' },
    confidence: { type: 'boolean', description: 'Whether trees have `confidences`; left out: no.' },
  },
} as const;

/** Lists have an entry for each word, the first for the first. */
const tree = {
  heads: numbers,
  labels: strings,
  confidences: {
    type: 'array',
    items: { type: 'number' },
    description: 'With `confidence`: how sure the model is of each head, from 0 to 1, where it can tell.',
  },
  conllu: { type: 'string' },
} as const;

const ballots = {
  type: 'array',
  description: 'For each word all answers, those of most models first.',
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
    sentence: { type: 'integer', minimum: 1, description: 'Which sentence, from 1; left out: the first.' },
    arc: {
      type: 'integer',
      description: 'The token whose arc is explained feature by feature, of parsers that score arcs.',
    },
    step: { type: 'integer', description: 'The step that is, of parsers that build trees step by step.' },
  },
} as const;

export const explainAnswer = {
  type: 'object',
  properties: {
    model: { type: 'string' },
    sentence: { type: 'integer' },
    explanation: {
      type: 'object',
      description: 'What `parliament explain` gives as JSON: its fields go by the paradigm.',
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
    'What was wrong with the request (400, 413, 415, 429), or why it could not be answered (500, 503).',
  properties: { error: { type: 'string' } },
} as const;
