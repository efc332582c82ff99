import { denseShapes } from '../network/layers/dense.ts';
import { recurrentShape } from '../network/layers/lstm.ts';
import { GATES } from '../network/layout.ts';
import type { Shape } from '../network/parameters.ts';
import type { EncoderSettings } from './settings.ts';
import { filterShapes } from './word-layer.ts';

/** The name of a layer's parameters; `LstmPass` reads the direction from its end. */
export function layerName(layer: number, direction: string): string {
  return `layer-${layer + 1}.${direction}`;
}

/** The parameters of a direction that its outputs need: all but the word table, which is kept in fewer bits. */
export function directionShapes(settings: EncoderSettings, direction: string): Shape[] {
  const { units, layers } = settings;
  const ofLayers = Array.from({ length: layers }, (_, l) => {
    const name = layerName(l, direction);
    return [...denseShapes(`${name}.inputs`, units, GATES * units), recurrentShape(name, units)];
  });
  return [...filterShapes(settings), ...ofLayers.flat()];
}
