import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frontierPlot, linePlot, type PlotPoint, type PlotSeries } from '../../src/report/plot-svg.ts';

const draw = (...series: PlotSeries[]) =>
  linePlot({ title: 'Learning curve', xLabel: 'sentences', yLabel: 'UAS, percent', series });

const graph: PlotSeries = {
  name: 'graph',
  points: [
    { x: 1000, y: 80, deviation: 2 },
    { x: 2000, y: 84, deviation: 0.5 },
    { x: 4000, y: 86 },
  ],
};

const number = '(-?[\\d.]+)';

/** The places of the markers, series by series, either of the points (which have titles) or of the names. */
function markers(svg: string, kind: 'points' | 'names'): { x: number; y: number }[] {
  const end = kind === 'points' ? '<title>' : '</path>';
  const marker = new RegExp(
    `class="marker" transform="translate\\(${number},${number}\\)" d="[^"]*">${end}`,
    'g',
  );
  return [...svg.matchAll(marker)].map((match) => ({ x: +match[1]!, y: +match[2]! }));
}

function texts(svg: string, kind: string): { x: number; y: number; text: string }[] {
  const text = new RegExp(`<text class="${kind}" x="${number}" y="${number}">(.*?)</text>`, 'g');
  return [...svg.matchAll(text)].map((match) => ({ x: +match[1]!, y: +match[2]!, text: match[3]! }));
}

/** The number of points in each piece of each line. */
function lines(svg: string): number[][] {
  return [...svg.matchAll(/class="line" d="([^"]*)"/g)].map(([, path]) =>
    [...path!.matchAll(/M[^M]*/g)].map(([piece]) => piece.match(/[ML]/g)!.length),
  );
}

const bars = (svg: string) =>
  [...svg.matchAll(new RegExp(`class="deviation" d="M${number},${number}V${number}M`, 'g'))].map((match) => ({
    x: +match[1]!,
    low: +match[2]!,
    high: +match[3]!,
  }));

const tickNumber = (text: string) => Number(text.replaceAll(',', '').replace('−', '-'));
const numberText = /^−?[\d,.]+$/;

const value = fc.oneof(
  fc.integer({ min: -100, max: 100 }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.constant(Number.NaN),
);
const point: fc.Arbitrary<PlotPoint> = fc.record(
  {
    x: value,
    y: value,
    deviation: fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.constant(Number.NaN)),
  },
  { requiredKeys: ['x', 'y'] },
);
const anySeries: fc.Arbitrary<PlotSeries[]> = fc.array(
  fc.record({ name: fc.string({ maxLength: 30 }), points: fc.array(point, { maxLength: 8 }) }),
  { maxLength: 25 },
);
const isShown = ({ x, y }: PlotPoint) => Number.isFinite(x) && Number.isFinite(y);

test('the title, both axes and every series are named', () => {
  const svg = draw(graph, { name: 'vote', points: [{ x: 1000, y: 88 }] });
  expect(texts(svg, 'word').map(({ text }) => text)).toEqual(['Learning curve']);
  expect(texts(svg, 'tag').map(({ text }) => text)).toEqual(
    expect.arrayContaining(['sentences', 'UAS, percent']),
  );
  expect(texts(svg, 'name').map(({ text }) => text)).toEqual(['graph', 'vote']);
});

test('larger values are further to the right and higher, in proportion', () => {
  const [a, b, c] = markers(draw(graph), 'points');
  expect((c!.x - b!.x) / (b!.x - a!.x)).toBeCloseTo(2, 1);
  expect((a!.y - b!.y) / (b!.y - c!.y)).toBeCloseTo(2, 1);
  expect([b!.x > a!.x, b!.y < a!.y]).toEqual([true, true]);
});

test('on a logarithmic axis doubled sizes are at equal distances, with a tick at each', () => {
  const titles = { title: 'Learning curve', xLabel: 'sentences', yLabel: 'UAS, percent' };
  const svg = linePlot({ ...titles, series: [graph], isLogarithmic: true });
  const [a, b, c] = markers(svg, 'points');
  expect(c!.x - b!.x).toBeCloseTo(b!.x - a!.x, 0);
  const ticks = texts(svg, 'tag').filter(({ text }) => text.includes(',') && numberText.test(text));
  expect(ticks.map(({ text }) => text)).toEqual(['1,000', '2,000', '4,000']);
});

test('a tick is at the same place as a point with its value', () => {
  const points = [0, 1, 2, 3, 4].map((i) => ({ x: i, y: 10 * i }));
  const svg = draw({ name: 's', points });
  const ticks = texts(svg, 'tag').filter(({ text }) => numberText.test(text));
  const [xTicks, yTicks] = [ticks.slice(0, 5), ticks.slice(5)];
  expect(xTicks.map(({ text }) => text)).toEqual(['0', '1', '2', '3', '4']);
  expect(yTicks.map(({ text }) => tickNumber(text))).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40]);
  markers(svg, 'points').forEach(({ x, y }, i) => {
    expect(xTicks[i]!.x).toBeCloseTo(x, 1);
    expect(yTicks[2 * i]!.y).toBeCloseTo(y + 4, 1);
  });
});

test('a horizontal axis of whole numbers has ticks only at whole numbers', () => {
  for (let last = 0; last <= 40; last++) {
    const svg = draw({
      name: 's',
      points: [
        { x: 0, y: 0.5 },
        { x: last, y: 0.6 },
      ],
    });
    const axis = Math.max(...texts(svg, 'tag').map(({ y }) => y)) - 18;
    const xTicks = texts(svg, 'tag').filter(({ text, y }) => numberText.test(text) && Math.abs(y - axis) < 1);
    expect(xTicks.length).toBeGreaterThan(1);
    for (const { text } of xTicks) expect(text).toMatch(/^−?\d+$/);
  }
});

describe('a deviation', () => {
  test('is a bar from y − deviation to y + deviation', () => {
    const ends = {
      name: 'ends',
      points: [
        { x: 1000, y: 78 },
        { x: 1000, y: 82 },
      ],
    };
    const svg = draw(graph, ends);
    const [at, , , low, high] = markers(svg, 'points');
    expect(bars(svg)[0]).toEqual({ x: at!.x, low: low!.y, high: high!.y });
  });

  test('that is missing, 0 or NaN has no bar', () => {
    const points = [undefined, 0, Number.NaN, 1].map((deviation, x) => ({ x, y: 1, deviation }));
    expect(bars(draw({ name: 's', points }))).toHaveLength(1);
  });
});

describe('a point without a figure', () => {
  test('leaves a gap in the line', () => {
    const points = [1, 2, Number.NaN, 3, 4, 5].map((y, x) => ({ x, y }));
    const svg = draw({ name: 's', points });
    expect(lines(svg)).toEqual([[2, 3]]);
    expect(markers(svg, 'points')).toHaveLength(5);
    expect(svg).not.toContain('NaN');
  });

  test('between two others does not hide their markers', () => {
    const points = [1, Number.NaN, 3].map((y, x) => ({ x, y }));
    expect(markers(draw({ name: 's', points }), 'points')).toHaveLength(2);
  });
});

test('a single point stands in the middle of the picture', () => {
  const svg = draw({ name: 's', points: [{ x: 3, y: 88.5 }] });
  const ticks = texts(svg, 'tag').filter(({ text }) => numberText.test(text));
  expect(ticks.slice(0, 3).map(({ text }) => text)).toEqual(['2', '3', '4']);
  expect(markers(svg, 'points')).toEqual([{ x: ticks[1]!.x, y: expect.any(Number) }]);
});

test('a plot without points has axes and the names of its series', () => {
  expect(texts(draw(), 'tag').filter(({ text }) => numberText.test(text)).length).toBeGreaterThan(2);
  expect(texts(draw({ name: 'empty', points: [] }), 'name')).toHaveLength(1);
});

test('for any series, each finite point is drawn once, inside the picture, with finite coordinates', () => {
  fc.assert(
    fc.property(anySeries, (series) => {
      const svg = draw(...series);
      const shown = series.flatMap(({ points }) => points.filter(isShown));
      expect(markers(svg, 'points')).toHaveLength(shown.length);
      expect(svg.replaceAll(/<(title|desc|text).*?<\/\1>/gs, '')).not.toMatch(/NaN|Infinity|undefined/);
      const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!;
      const ends = bars(svg).flatMap(({ x, low, high }) => [
        { x, y: low },
        { x, y: high },
      ]);
      for (const { x, y } of [...markers(svg, 'points'), ...markers(svg, 'names'), ...ends]) {
        expect(x > 0 && x < Number(width)).toBe(true);
        expect(y > 0 && y < Number(height)).toBe(true);
      }
    }),
  );
});

test('values too close to distinguish also have an axis with finite numbers', () => {
  const points = [0, 5e-324].map((y, x) => ({ x, y }));
  expect(draw({ name: 'a', points })).not.toMatch(/NaN|Infinity/);
});

test('names are beside the ends of their lines and never overlap', () => {
  const svg = draw(graph);
  expect(markers(svg, 'names')[0]!.y).toBe(markers(svg, 'points')[2]!.y);
  fc.assert(
    fc.property(anySeries, (series) => {
      const heights = texts(draw(...series), 'name')
        .map(({ y }) => y)
        .sort((a, b) => a - b);
      expect(heights).toHaveLength(series.length);
      for (let i = 1; i < heights.length; i++) expect(heights[i]! - heights[i - 1]!).toBeGreaterThan(17.8);
    }),
  );
});

const fiftySix = Array.from({ length: 56 }, (_, i) => ({ name: `s${i}`, points: [] }));

test('an axis of named values leaves out names that do not fit, and bars show intervals', () => {
  const plot = (names: readonly string[]) =>
    linePlot({
      ...{ title: 't', xLabel: 'distance', yLabel: 'F1', xNames: names },
      series: [{ name: 'a', points: names.map((_, x) => ({ x, y: 80, interval: { low: 70, high: 95 } })) }],
    });
  const svg = plot(['1', '2', '3-10']);
  const ticks = texts(svg, 'tag').map(({ text }) => text);
  expect(ticks).toEqual(expect.arrayContaining(['1', '2', '3-10', '70', '95']));
  expect(svg).toContain('<title>a: 3-10, 80 (70 to 95)</title>');
  const [{ low, high }] = bars(svg);
  const [{ y }] = markers(svg, 'points');
  expect(low - y).toBeCloseTo((2 / 3) * (y - high), 0);
  const many = Array.from({ length: 60 }, (_, i) => `${i}-${i + 9}`);
  const shown = texts(plot(many), 'tag').filter(({ text }) => many.includes(text));
  expect(shown.length).toBeLessThan(16);
});

test('a plot of many series is high enough for their names below its title', () => {
  const svg = draw(...fiftySix);
  const heights = texts(svg, 'name').map(({ y }) => y);
  expect(Math.min(...heights)).toBeGreaterThan(texts(svg, 'word')[0]!.y + 18);
});

test('no two of 56 series have the same colour and the same marker', () => {
  const looks = [
    ...draw(...fiftySix).matchAll(
      /class="(colour-\d)" data-series="\d+">\n<path class="marker" .*? d="(.*?)"/g,
    ),
  ];
  expect(new Set(looks.map(([, colour, shape]) => `${colour} ${shape}`)).size).toBe(56);
});

/** WCAG 2.1, relative luminance and contrast ratio. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [red, green, blue] = [1, 3, 5].map((i) => {
      const channel = Number.parseInt(colour.slice(i, i + 2), 16) / 255;
      return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

test('names have a contrast of at least 4.5 to the background, in the light and the dark theme', () => {
  const style = draw(graph).split('<style>').at(-1)!;
  const [light, dark] = style.split('@media').map((part) => part.matchAll(/\.colour-\d \{ color: (#\w{6})/g));
  const grounds = [
    [light, '#ffffff'],
    [dark, '#0d1117'],
  ] as const;
  for (const [colours, ground] of grounds) {
    const ratios = [...colours!].map(([, colour]) => contrast(colour!, ground));
    expect(ratios).toHaveLength(8);
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(4.5);
  }
});

test('the plot is described in words, and each point has a tooltip with its figures', () => {
  const svg = draw(graph, { name: 'vote', points: [{ x: 1000, y: 100 / 3 }] });
  expect(svg).toContain('<title>Learning curve</title>');
  expect(svg).toContain(
    '<desc>UAS, percent by sentences. graph – 1000, 80 ± 2; 2000, 84 ± 0.5; 4000, 86. vote – 1000, 33.3333</desc>',
  );
  expect(svg).toContain('<title>graph: 1000, 80 ± 2</title>');
});

test('characters reserved in XML are escaped', () => {
  const svg = linePlot({
    title: '<t>',
    xLabel: '<x>',
    yLabel: '<y>',
    series: [{ name: '<n>', points: [{ x: 1, y: 1 }] }],
  });
  expect(svg).not.toMatch(/<[txyn]>/);
  expect(texts(svg, 'name')[0]!.text).toBe('&#60;n&#62;');
});

test('the frontier of accuracy over speed goes through the points that no other point beats in both', () => {
  const at = (name: string, x: number, y: number): PlotSeries => ({ name, points: [{ x, y }] });
  const series = [at('fast', 1000, 80), at('beaten', 900, 79), at('accurate', 10, 90), at('slow', 9, 90)];
  const svg = frontierPlot({ title: 'Frontier', xLabel: 'words/s', yLabel: 'LAS', series });
  expect(svg).toContain('<desc>LAS by words/s. frontier – 1000, 80; 10, 90. fast – 1000, 80. beaten');
  expect(lines(svg)).toEqual([[2], [1], [1], [1], [1]]);
});
