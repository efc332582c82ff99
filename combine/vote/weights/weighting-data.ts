/** Makes a weighting again of its plain data, in a worker thread, say. Learns nothing. */
import { ArcModelWeighting } from './arc-model/arc-model-weighting.ts';
import { MemberWeighting } from './member-weighting.ts';
import type { Weighting, WeightingData } from './weighting.ts';

export function weightingOf(data: WeightingData): Weighting {
  return data.kind === 'members'
    ? new MemberWeighting(data.weights, data.members)
    : new ArcModelWeighting(data.model);
}
