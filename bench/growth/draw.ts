/** A curve over sizes that grow by factors, as a standalone SVG, readable on light and on dark. */
export interface Line {
  name: string
  points: { x: number; y: number }[]
}
export interface Panel {
  /** with its unit */
  title: string
  lines: Line[]
}

type Range = [low: number, high: number]

const WIDTH = 300
const HEIGHT = 200
const PLOT = { left: 46, right: 22, top: 34, bottom: 28 }
const COLORS = ['#2f7ed8', '#d9822b', '#3a9d5d', '#b0489f', '#c23b3b', '#7a6ff0', '#2aa5a5', '#8c8c4a']
const STYLE = `text{font:11px system-ui,sans-serif;fill:#333}.t{font-weight:600;font-size:12px}.g{stroke:#ddd;stroke-width:1}
.l{fill:none;stroke-width:1.8}rect{fill:#fff}@media(prefers-color-scheme:dark){text{fill:#ccc}.g{stroke:#444}rect{fill:#16181d}}`

/** Panels side by side over the same sizes; both axes grow by factors. Lines of one name have one colour. */
export function draw(title: string, panels: Panel[], across = 3): string {
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))]
  const legend = 22 * Math.ceil(names.length / 4)
  const rows = Math.ceil(panels.length / across)
  const [width, height] = [across * WIDTH, 30 + rows * HEIGHT + legend]
  const found = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ x }) => x)))
  const sizes: Range = [Math.log10(Math.min(...found)), Math.log10(Math.max(...found))]
  const drawn = panels.map((panel, at) => {
    const place = `translate(${(at % across) * WIDTH} ${30 + Math.floor(at / across) * HEIGHT})`
    return `<g transform="${place}">${drawPanel(panel, sizes, names)}</g>`
  })
  const keys = names.map((name, at) => {
    const [x, y] = [20 + (at % 4) * (width / 4), 46 + rows * HEIGHT + 22 * Math.floor(at / 4) - 8]
    return `<path class="l" stroke="${colorOf(at)}" d="M${x} ${y - 4}h18"/><text x="${x + 24}" y="${y}">${escaped(name)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>${STYLE}</style><rect width="100%" height="100%"/><text class="t" x="20" y="20">${escaped(title)}</text>
${drawn.join('\n')}
${keys.join('\n')}
</svg>
`
}

function drawPanel({ title, lines }: Panel, sizes: Range, names: string[]): string {
  const heights = decades(lines.flatMap(({ points }) => points.map((point) => point.y)))
  const at = (value: number, [low, high]: Range, from: number, to: number) =>
    (from + ((Math.log10(value) - low) / (high - low)) * (to - from)).toFixed(1)
  const x = (value: number) => at(value, sizes, PLOT.left, WIDTH - PLOT.right)
  const y = (value: number) => at(value, heights, HEIGHT - PLOT.bottom, PLOT.top)
  const grid = [
    ...powers(heights).map(
      (value) =>
        `<path class="g" d="M${PLOT.left} ${y(value)}H${WIDTH - PLOT.right}"/><text x="${PLOT.left - 6}" y="${Number(y(value)) + 4}" text-anchor="end">${short(value)}</text>`,
    ),
    ...powers(sizes).map(
      (value) => `<text x="${x(value)}" y="${HEIGHT - PLOT.bottom + 16}" text-anchor="middle">${short(value)}</text>`,
    ),
  ]
  const curves = lines.map(({ name, points }) => {
    const color = colorOf(names.indexOf(name))
    const path = points.map((point) => `${x(point.x)} ${y(point.y)}`).join('L')
    const dots = points.map((point) => `<circle cx="${x(point.x)}" cy="${y(point.y)}" r="2.4" fill="${color}"/>`)
    return `<path class="l" stroke="${color}" d="M${path}"/>${dots.join('')}`
  })
  return `<text class="t" x="${PLOT.left}" y="22">${escaped(title)}</text>${grid.join('')}${curves.join('')}`
}

/** The powers of ten around all values. */
function decades(values: number[]): Range {
  const logs = values.filter((value) => value > 0).map(Math.log10)
  const low = Math.floor(Math.min(...logs) + 1e-9)
  return [low, Math.max(low + 1, Math.ceil(Math.max(...logs) - 1e-9))]
}

/** The powers of ten within. */
function powers([low, high]: Range): number[] {
  const [first, last] = [Math.ceil(low - 1e-9), Math.floor(high + 1e-9)]
  return Array.from({ length: last - first + 1 }, (_, n) => 10 ** (first + n))
}

function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6} M`
  return value >= 1000 ? `${value / 1000} k` : String(Number(value.toPrecision(3)))
}

function colorOf(at: number): string {
  return COLORS[at % COLORS.length]!
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
