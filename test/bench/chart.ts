/** Draws the curves of growth as an SVG: one row of panels for time, one for memory, a column for each store. */
import type { Cost } from './growth.ts'

const WIDTH = 300
const HEIGHT = 200
const MARGIN = { left: 62, right: 104, top: 40, bottom: 44 }
const CELL = { width: WIDTH + MARGIN.left + MARGIN.right, height: HEIGHT + MARGIN.top + MARGIN.bottom }

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .title { font-weight: 600; fill: #1f2328 }
  .ground { fill: #ffffff }
  .grid { stroke: #d8dee4; stroke-width: 1 }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round }
  .c0 { --c: #0969da } .c1 { --c: #bc4c00 } .c2 { --c: #1a7f37 } .c3 { --c: #8250df }
  .line { stroke: var(--c) } .name, .dot { fill: var(--c) }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 } .title { fill: #f0f6fc } .ground { fill: #0d1117 } .grid { stroke: #30363d }
    .c0 { --c: #4493f8 } .c1 { --c: #f0883e } .c2 { --c: #3fb950 } .c3 { --c: #ab7df8 }
  }`

const round = (value: number) => Math.round(value * 10) / 10
const log = Math.log10

/** A panel with logarithmic axes, its curves named at their ends. */
function panel(title: string, costs: readonly Cost[], of: 'microseconds' | 'bytes'): string {
  const values = costs.map((cost) => Math.max(1e-2, cost[of]))
  const low = Math.floor(log(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(log(Math.max(...values))))
  const decades = log(Math.max(...costs.map(({ applications }) => applications)))
  const x = (applications: number) => round(MARGIN.left + (log(applications) / decades) * WIDTH)
  const y = (value: number) =>
    round(MARGIN.top + HEIGHT - ((log(Math.max(1e-2, value)) - low) / (high - low)) * HEIGHT)
  const lines: string[] = [`<text class="title" x="${MARGIN.left}" y="22">${title}</text>`]
  for (let power = low; power <= high; power++) {
    const at = y(10 ** power)
    lines.push(`<path class="grid" d="M${MARGIN.left} ${at}h${WIDTH}"/>`)
    lines.push(`<text x="${MARGIN.left - 8}" y="${at + 4}" text-anchor="end">${tick(10 ** power, of)}</text>`)
  }
  for (let power = 0; power <= decades; power++) {
    const label = (10 ** power).toLocaleString('en', { notation: 'compact' })
    lines.push(
      `<text x="${x(10 ** power)}" y="${MARGIN.top + HEIGHT + 18}" text-anchor="middle">${label}</text>`,
    )
  }
  lines.push(
    `<text x="${MARGIN.left + WIDTH / 2}" y="${MARGIN.top + HEIGHT + 36}" text-anchor="middle">applications</text>`,
  )
  const calls = [...new Set(costs.map(({ call }) => call))]
  const curves = calls.map((call, i) => {
    const points = costs.filter((cost) => cost.call === call)
    const path = points
      .map((cost, j) => `${j === 0 ? 'M' : 'L'}${x(cost.applications)} ${y(cost[of])}`)
      .join('')
    const dots = points.map(
      (cost) => `<circle class="dot" cx="${x(cost.applications)}" cy="${y(cost[of])}" r="2.5"/>`,
    )
    return { call, i, end: y(points.at(-1)![of]), drawn: `<path class="line" d="${path}"/>${dots.join('')}` }
  })
  // Names that would overlap move down.
  let free = 0
  for (const { call, i, end, drawn } of curves.sort((a, b) => a.end - b.end)) {
    const at = Math.max(free, end + 4)
    free = at + 14
    lines.push(
      `<g class="c${i}">${drawn}<text class="name" x="${MARGIN.left + WIDTH + 8}" y="${at}">${call}</text></g>`,
    )
  }
  return lines.join('\n')
}

function tick(value: number, of: 'microseconds' | 'bytes'): string {
  if (of === 'bytes')
    return value < 1000 ? `${value} B` : value < 1e6 ? `${value / 1000} KB` : `${value / 1e6} MB`
  return value < 1000 ? `${value} µs` : `${value / 1000} ms`
}

/** @param stores the title of each store and what calls cost in it */
export function growthChart(stores: readonly (readonly [title: string, costs: readonly Cost[]])[]): string {
  const width = CELL.width * stores.length
  const height = CELL.height * 2
  const panels = stores.flatMap(([title, costs], column) =>
    (['microseconds', 'bytes'] as const).map((of, row) => {
      const heading = `${title}: ${of === 'bytes' ? 'memory allocated' : 'time'} for a call`
      return `<g transform="translate(${column * CELL.width} ${row * CELL.height})">\n${panel(heading, costs, of)}\n</g>`
    }),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Time and memory for a call, by the number of applications">
<style>${STYLE}
</style>
<rect class="ground" width="${width}" height="${height}"/>
${panels.join('\n')}
</svg>
`
}
