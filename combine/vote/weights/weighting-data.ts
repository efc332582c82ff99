/** Makes a weighting again of its plain data, in a worker thread, say. Learns nothing. */
import { AgreementWeighting } from './agreement/agreement-weighting.ts';
import { ArcModelWeighting } from './arc-model/arc-model-weighting.ts';
import { MemberWeighting } from './member-weighting.ts';
import type { Weighting, WeightingData } from './weighting.ts';

export function weightingOf(data: WeightingData): Weighting {
  if (data.kind === 'members') return new MemberWeighting(data.weights, data.members);
  return data.kind === 'agreement' ? new AgreementWeighting(data.model) : new ArcModelWeighting(data.model);
}
