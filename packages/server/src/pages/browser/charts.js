// @ts-check
/**
 * `data-chart`: a figure whose chart shows the series in this attribute, as JSON. Drawn by uPlot, which the page loads
 * before. `times`: seconds since 1970; `series`: names and values, null where there is none; `unit`: of the values.
 */

/** @typedef {{ times: number[], series: { label: string, values: (number | null)[] }[], unit: string }} Chart */

/**
 * The drawn charts, with the text that they were drawn from.
 * @type {WeakMap<Element, { text: string, plot: any }>}
 */
const drawn = new WeakMap()
const height = 168
const colors = ['--accent', '--busy']

export function drawCharts() {
  const { uPlot } = /** @type {any} */ (globalThis)
  if (!uPlot) return
  for (const figure of document.querySelectorAll('[data-chart]')) {
    const source = document.getElementById(figure.getAttribute('data-chart') ?? '')
    const text = source?.querySelector('[data-series]')?.getAttribute('data-series')
    const earlier = drawn.get(figure)
    if (!text || earlier?.text === text) continue
    const chart = /** @type {Chart} */ (JSON.parse(text))
    if (earlier) {
      earlier.plot.setData(toData(chart))
      drawn.set(figure, { text, plot: earlier.plot })
    } else draw(figure, text, chart, uPlot)
  }
}

/** @param {Chart} chart */
function toData({ times, series }) {
  return [times, ...series.map(({ values }) => values)]
}

/**
 * @param {Element} figure
 * @param {string} text
 * @param {Chart} chart
 * @param {any} uPlot
 */
function draw(figure, text, chart, uPlot) {
  const place = figure.querySelector('[data-plot]')
  if (!place) return
  const axis = {
    stroke: () => color('--text-quiet'),
    grid: { stroke: () => color('--line'), width: 1 },
    ticks: { stroke: () => color('--line'), width: 1 },
    font: '12px system-ui, sans-serif',
  }
  const plot = new uPlot(
    {
      width: place.clientWidth,
      height,
      cursor: { y: false },
      legend: { live: true },
      hooks: { setCursor: [showLatest] },
      scales: {
        y: {
          range: (/** @type {any} */ _, /** @type {number} */ __, /** @type {number} */ max) => [
            0,
            Math.max(max * 1.1, 1),
          ],
        },
      },
      axes: [
        { ...axis, values: (/** @type {any} */ _, /** @type {number[]} */ splits) => splits.map(toClock) },
        { ...axis, size: 56, values: (/** @type {any} */ _, /** @type {number[]} */ splits) => splits.map(toNumber) },
      ],
      series: [
        { label: 'Time', value: (/** @type {any} */ _, /** @type {number} */ at) => (at === null ? '–' : toClock(at)) },
        ...chart.series.map(({ label }, index) => ({
          label,
          stroke: () => color(colors[index] ?? '--accent'),
          width: 1.5,
          // A value between two missing ones has no line.
          points: { show: true, size: 5, filter: findSingle },
          spanGaps: false,
          value: (/** @type {any} */ _, /** @type {number | null} */ value) =>
            value === null ? '–' : `${toNumber(value)} ${chart.unit}`.trim(),
        })),
      ],
    },
    toData(chart),
    place,
  )
  drawn.set(figure, { text, plot })
  new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height })).observe(place)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plot.redraw())
}

/**
 * The indices of values that have no neighbour.
 * @param {any} plot
 * @param {number} series
 */
function findSingle(plot, series) {
  const values = /** @type {(number | null)[]} */ (plot.data[series])
  const isMissing = (/** @type {number} */ index) => (values[index] ?? null) === null
  return [...values.keys()].filter((index) => !isMissing(index) && isMissing(index - 1) && isMissing(index + 1))
}

/**
 * The legend has the latest values while the pointer is elsewhere.
 * @param {any} plot
 */
function showLatest(plot) {
  if (plot.cursor.left < 0) plot.setLegend({ idx: plot.data[0].length - 1 })
}

/** @param {string} name */
function color(name) {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color: found } = getComputedStyle(probe)
  probe.remove()
  return found
}

/** @param {number} seconds */
function toClock(seconds) {
  return new Date(seconds * 1_000).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}

/** @param {number} value */
function toNumber(value) {
  return value >= 10_000 ? `${Math.round(value / 1_000)}k` : String(Math.round(value * 10) / 10)
}
