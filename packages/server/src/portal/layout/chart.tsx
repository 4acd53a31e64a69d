/**
 * A chart over time, drawn by `pages/browser/charts.js`, with its figures as a table for everybody else.
 * In: times and series. Out: a figure; its numbers are in a live part of their own, so that an update moves the chart
 * only.
 */
import { Live } from '../../pages/live.tsx'

export interface ChartProps {
  /** Unique on the page. */
  id: string
  title: string
  /** Of the values, such as `ms`; empty for counts. */
  unit: string
  /** In ms, ascending. */
  times: number[]
  /** One or two; as many values as times, null where there is none. */
  series: { label: string; values: (number | null)[] }[]
}

/** The table shows the newest times. */
const maxRows = 60

export function Chart({ id, title, unit, times, series }: ChartProps) {
  const dataId = `${id}-data`
  const isEmpty = series.every(({ values }) => values.every((value) => value === null || value === 0))
  const seconds = times.map((atMs) => Math.round(atMs / 1_000))
  return (
    <figure class="chart" data-chart={dataId} aria-label={title}>
      <figcaption>
        {title}
        {unit !== '' && <span class="help"> in {unit}</span>}
      </figcaption>
      <Live id={`${id}-empty`} as="p" class="help">
        {isEmpty && 'Nothing before this minute: first figures after a minute.'}
      </Live>
      <div data-plot aria-hidden="true" />
      <details class="figures">
        <summary>
          Figures<span class="unseen"> of {title}</span>
        </summary>
        <div class="scroll">
          <Live id={dataId}>
            <table data-series={JSON.stringify({ times: seconds, series, unit })}>
              <thead>
                <tr>
                  <th scope="col">Time (UTC)</th>
                  {series.map(({ label }) => (
                    <th key={label} scope="col">
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {times
                  .map((atMs, index) => ({ atMs, values: series.map(({ values }) => values[index] ?? null) }))
                  .slice(-maxRows)
                  .reverse()
                  .map(({ atMs, values }) => (
                    <tr key={atMs}>
                      <th scope="row">{new Date(atMs).toISOString().slice(11, 16)}</th>
                      {values.map((value, index) => (
                        // The series stay in their order.
                        <td key={index}>{value === null ? '–' : Math.round(value * 10) / 10}</td>
                      ))}
                    </tr>
                  ))}
              </tbody>
            </table>
          </Live>
        </div>
      </details>
    </figure>
  )
}
