import encode from 'qr'
import { html, type View } from '#console/lib/html.ts'

/** The light border that a scanner needs, in modules. */
const BORDER = 4

/** A text as a QR code: dark on light in both themes, because not every scanner reads it inverted. */
export function QrCode({ text, label }: { text: string; label: string }): View {
  const rows = encode(text, 'raw', { border: BORDER })
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return html`<svg class="qr" role="img" aria-label=${label} viewBox=${`0 0 ${rows.length} ${rows.length}`} shape-rendering="crispEdges">
    <rect width="100%" height="100%" fill="#fff" />
    <path d=${path} fill="#000" />
  </svg>`
}
