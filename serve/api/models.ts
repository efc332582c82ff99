import type { FastifyInstance } from 'fastify';
import type { Surroundings } from '../http/surroundings.ts';
import { modelsAnswer } from './schemas.ts';

/** The models, the first of which is meant where none is named. */
export function modelsRoute(app: FastifyInstance, { house }: Surroundings): void {
  const schema = { summary: 'The models that are served', response: { 200: modelsAnswer } };
  app.get('/v1/models', { schema }, async () => ({
    models: house.models.map((model) => ({
      name: model.name,
      kind: model.kind,
      abilities: model.abilities,
      members: model.kind === 'vote' ? model.members : undefined,
    })),
  }));
}
