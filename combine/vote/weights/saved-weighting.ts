import type { HeaderFields } from '../../../src/model/header-fields.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { weightingNames } from '../../names.ts';
import { AgreementWeighting } from './agreement-weighting.ts';
import { arcModelWeighting } from './arc-model-weighting.ts';
import type { AgreementModel, ArcModel, MemberWeights, Weighting, WeightingData } from './weighting.ts';
import { memberWeighting } from './weighting.ts';

const FIELD = 'weighting';
const SECTION = 'weighting.arcs';

export function saveWeighting({ data }: Weighting, model: ModelWriter): void {
  if (data.kind !== 'arc model') {
    model.header[FIELD] = data;
    return;
  }
  const { weights, soft, ...rest } = data.model;
  const softMembers = [...soft.keys()].filter((m) => soft[m]);
  model.header[FIELD] = { kind: data.kind, model: { ...rest, soft: softMembers } };
  model.section(SECTION, weights);
}

/** Loads the weighting of a model with `count` members; undefined for weights by paradigm, which go by the members. */
export function loadWeighting(model: ModelReader, count: number): Weighting | undefined {
  const fields = model.fields(FIELD);
  const kind = fields.choice('kind', ['members', 'arc model', 'agreement']);
  if (kind !== 'members')
    return weightingOf(kind === 'agreement' ? agreement(fields, count) : arcModel(model, fields, count));
  const weights = fields.fields('weights');
  const name = weights.choice('name', [...weightingNames, 'given', 'paradigm']);
  if (name === 'paradigm') return undefined;
  const read: MemberWeights = {
    name,
    overall: weightsIn(weights, 'overall', count),
    ...(weights.has('byTag') && { byTag: weightsByTag(weights.fields('byTag'), count) }),
  };
  return weightingOf({ kind, weights: read, members: membersIn(fields, 'members', count) });
}

function agreement(fields: HeaderFields, count: number): WeightingData {
  const read = fields.fields('model');
  const model: AgreementModel = {
    members: membersIn(read, 'members', count),
    accuracies: weightsIn(read, 'accuracies', count),
    byTag: weightsByTag(read.fields('byTag'), count),
  };
  return { kind: 'agreement', model };
}

function weightsByTag(fields: HeaderFields, count: number): Record<string, readonly number[]> {
  return Object.fromEntries(fields.names.map((tag) => [tag, weightsIn(fields, tag, count)]));
}

function weightsIn(fields: HeaderFields, name: string, count: number): number[] {
  const weights = fields.numbers(name, 0, Number.MAX_VALUE);
  if (weights.length === count && weights.some((weight) => weight > 0)) return weights;
  return fields.refuse(name, `a weight of each of ${count} members, one above 0`);
}

function membersIn(fields: HeaderFields, name: string, count: number): number[] {
  const members = fields.integers(name, 0);
  const isKnown = members.every((member, i) => member < count && members.indexOf(member) === i);
  return isKnown && members.length > 0 ? members : fields.refuse(name, `some of ${count} members, each once`);
}

function arcModel(model: ModelReader, fields: HeaderFields, count: number): WeightingData {
  const arcs = fields.fields('model');
  const range = { least: -Number.MAX_VALUE, most: Number.MAX_VALUE };
  const weights = model.section(SECTION, 'float32', { ...range, isHashed: true });
  const identities = arcs.integers('identities', -1);
  if (identities.length !== count) arcs.refuse('identities', `a number of each of ${count} members`);
  const softMembers = arcs.has('soft') ? arcs.integers('soft', 0) : [];
  const read: ArcModel = {
    order: membersIn(arcs, 'order', count),
    accuracies: weightsIn(arcs, 'accuracies', count),
    identities,
    soft: identities.map((_, m) => softMembers.includes(m)),
    weights,
    full: arcs.number('full', Number.MIN_VALUE, Number.MAX_VALUE),
  };
  return { kind: 'arc model', model: read };
}

/** Makes a weighting from its plain data, for example in a worker thread. */
export function weightingOf(data: WeightingData): Weighting {
  if (data.kind === 'members') return memberWeighting(data.weights, data.members);
  return data.kind === 'agreement' ? new AgreementWeighting(data.model) : arcModelWeighting(data.model);
}
