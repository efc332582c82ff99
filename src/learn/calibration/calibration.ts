import type { HeaderFields } from '../../model/header-fields.ts';

/** A calibration as plain data: what raw figures, ascending, come to. */
export interface CalibrationData {
  readonly raw: readonly number[];
  readonly calibrated: readonly number[];
}

/**
 * Turns raw confidences into probabilities of being right: a function that never falls, straight between its knots
 * and level beyond the outermost.
 */
export class Calibration {
  constructor(readonly data: CalibrationData) {}

  /** Throws `InputError` where a header holds none. */
  static load(fields: HeaderFields): Calibration {
    const raw = fields.numbers('raw', 0, 1);
    const calibrated = fields.numbers('calibrated', 0, 1);
    const rises = (values: readonly number[]) =>
      values.every((value, k) => k === 0 || value >= values[k - 1]);
    if (raw.length === 0 || !rises(raw)) fields.refuse('raw', 'numbers that do not fall');
    if (calibrated.length !== raw.length || !rises(calibrated)) {
      fields.refuse('calibrated', 'as many numbers as in raw, that do not fall');
    }
    return new Calibration({ raw, calibrated });
  }

  of(confidence: number): number {
    const { raw, calibrated } = this.data;
    let above = 0;
    let end = raw.length;
    while (above < end) {
      const middle = (above + end) >> 1;
      if (raw[middle] < confidence) above = middle + 1;
      else end = middle;
    }
    if (above === 0) return calibrated[0];
    if (above === raw.length) return calibrated[above - 1];
    const share = (confidence - raw[above - 1]) / (raw[above] - raw[above - 1]);
    return calibrated[above - 1] + share * (calibrated[above] - calibrated[above - 1]);
  }

  /** Turns the confidences of a sentence's tokens, from 1 on, in place. */
  apply(confidences: Float64Array): void {
    for (let d = 1; d < confidences.length; d++) confidences[d] = this.of(confidences[d]);
  }
}
