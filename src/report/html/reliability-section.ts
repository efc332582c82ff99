import type { Reliability } from '../../evaluate/breakdowns/reliability.ts';
import type { Comparison } from '../../evaluate/comparison/comparison.ts';
import { wilsonInterval } from '../../evaluate/significance/wilson.ts';
import { linePlot } from '../plot-svg.ts';
import { reliabilityNote, reliabilityTable } from '../tables/reliability-table.ts';
import { lineChoice } from './breakdown-section.ts';
import { Html, html } from './html.ts';
import { titledTable } from './html-table.ts';

/** Bins with fewer arcs are left out of the plot, where chance would rule: the tables have them. */
const LEAST_ARCS = 20;

const DIAGONAL = 'as sure as right';

interface Named {
  readonly name: string;
  readonly reliability: Reliability;
}

/** Whether confidences come true: a plot of accuracy against them, and tables; nothing where no parser gives any. */
export function reliabilitySection({ parsers }: Comparison): Html | undefined {
  const known = parsers.flatMap(({ name, report: { reliability } }) =>
    reliability === undefined ? [] : { name, reliability },
  );
  if (known.length === 0) return undefined;
  return html`<div class="switched">${lineChoice([...known.map(({ name }) => name), DIAGONAL])}<div class="plots">${reliabilityPlot(known)}</div></div>
<p class="note">A parser’s confidences are probabilities where its line is the diagonal: of arcs of which it is sure by 80%, 80% have the
right head. Bins with fewer than ${LEAST_ARCS} arcs are only in the tables.</p>
${known.map(({ name, reliability }) =>
  titledTable({ title: name, table: reliabilityTable(reliability), notes: [reliabilityNote(reliability)] }),
)}`;
}

function reliabilityPlot(known: readonly Named[]): Html {
  const lines = known.map(({ name, reliability: { bins } }) => ({
    name,
    points: bins
      .filter(({ arcs }) => arcs >= LEAST_ARCS)
      .map(({ confidence, uas, arcs }) => ({ x: confidence, y: uas, interval: wilsonInterval(uas, arcs) })),
  }));
  const ends = lines.flatMap(({ points }) => points.map(({ x }) => x));
  const [first, last] = [Math.min(...ends, 100), Math.max(...ends, 100)];
  const diagonal = { name: DIAGONAL, points: [first, last].map((x) => ({ x, y: x })) };
  const title = 'How often arcs are right, by confidence';
  const plot = linePlot({
    title,
    xLabel: 'confidence, %',
    yLabel: 'UAS',
    series: [...lines, diagonal],
    yRange: [0, 100],
  });
  return html`<figure>${new Html(plot)}</figure>\n`;
}
