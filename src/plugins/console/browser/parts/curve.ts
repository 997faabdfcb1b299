import uPlot from 'uplot'
import { html, useEffect, useRef, type View } from '../lib/html.ts'
import { language, timeText } from '../lib/language.ts'

/** One line of a picture. */
export interface Line {
  name: string
  /** `[ISO instant, value]`, oldest first; the line has a gap where the value is null */
  points: readonly (readonly [string, number | null])[]
}

interface CurveOptions {
  title: string
  lines: readonly Line[]
  /** a value in words, with its unit */
  text(value: number): string
  /** columns instead of a line */
  isColumns?: boolean
  /** there are no halves of it */
  isWhole?: boolean
  /** what the picture shows even if there are no points yet, in ms before now */
  span?: number
}

const HEIGHT = 140
const FEW = 12
const COLOURS = ['--main', '--bad', '--warn'] as const

/** Curves over time, with what they say in words beside the title. */
export function Curve({ title, lines, text, ...how }: CurveOptions): View {
  const place = useRef<HTMLDivElement>(null)
  useStyles()
  useEffect(() => {
    const box = place.current!
    let plot = draw()
    // The colours are those of the theme, and the width is that of the page.
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => {
      plot.destroy()
      plot = draw()
    }
    const resize = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }))
    dark.addEventListener('change', redraw)
    resize.observe(box)
    return () => {
      dark.removeEventListener('change', redraw)
      resize.disconnect()
      plot.destroy()
    }

    function draw() {
      return new uPlot(optionsFor(box.clientWidth, { lines, text, ...how }), dataOf(lines), box)
    }
  }, [lines])
  return html`<figure class="curve">
    <figcaption>
      <strong>${title}</strong>
      ${lines.map(({ name, points }, at) => html`<span class=${`key key-${at}`}>${name ? `${name} ` : ''}${lastOf(points, text)}</span>`)}
    </figcaption>
    <div ref=${place} role="img" aria-label=${summaryOf(title, lines, text)} />
  </figure>`
}

function lastOf(points: Line['points'], text: (value: number) => string): string {
  const value = points.at(-1)?.[1] ?? null
  return value === null ? '–' : text(value)
}

function summaryOf(title: string, lines: readonly Line[], text: (value: number) => string): string {
  const parts = lines.map(({ name, points }) => `${name} ${lastOf(points, text)}`.trim())
  return `${title}: ${parts.join('; ')}`
}

/** uPlot wants one row of instants (s), and a row of values for each line, null where there is none. */
function dataOf(lines: readonly Line[]): uPlot.AlignedData {
  const instants = [...new Set(lines.flatMap(({ points }) => points.map(([at]) => at)))].sort()
  const rows = lines.map(({ points }) => {
    const values = new Map(points)
    return instants.map((at) => values.get(at) ?? null)
  })
  return [instants.map((at) => Date.parse(at) / 1000), ...rows]
}

const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]

function optionsFor(
  width: number,
  { lines, text, isColumns, isWhole, span }: Omit<CurveOptions, 'title'>,
): uPlot.Options {
  const style = getComputedStyle(document.body)
  const colour = (name: string) => resolved(style.getPropertyValue(name))
  const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
  return {
    ...{ width, height: HEIGHT, legend: { show: false }, cursor: { show: false }, padding: [8, 28, 0, 0] },
    scales: {
      ...(span !== undefined && { x: { range: () => [(Date.now() - span) / 1000, Date.now() / 1000] } }),
      y: { range: (_, __, most) => [0, Math.max(most * 1.1, most === 0 ? 1 : 0)] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        values: (_, at) => at.map((second) => timeText(new Date(second * 1000).toISOString(), { timeStyle: 'short' })),
      },
      {
        ...axis,
        size: 76,
        ...(isWhole && { incrs: WHOLE }),
        values: (_, values) => values.map((value) => text(value)),
      },
    ],
    series: [
      {},
      ...lines.map((_, at) => ({
        stroke: colour(COLOURS[at]!),
        width: isColumns ? 0 : 2,
        // A line needs two.
        points: { show: !isColumns && lines.every(({ points }) => points.length < FEW), size: 5 },
        ...(isColumns && { paths: uPlot.paths.bars!({ size: [0.8, 40] }), fill: colour(COLOURS[at]!) }),
      })),
    ],
    tzDate: (second) => new Date(second * 1000),
    fmtDate: () => () => language(),
  }
}

/** A canvas knows no `light-dark()`: the browser resolves it for an element. */
function resolved(value: string): string {
  const probe = document.createElement('span')
  probe.style.color = value
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const STYLES = '/console/assets/lib/uplot.css'

/** The library's own styles, loaded where a curve is shown. */
function useStyles() {
  useEffect(() => {
    if (document.querySelector(`link[href="${STYLES}"]`)) return
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = STYLES
    document.head.append(link)
  }, [])
}
