import { createHash } from 'node:crypto'
import { type FastifyReply, type Html, html, type Language } from '#atrium'

const SHEET = html`
:root { color-scheme: light dark; --quiet: #626b76; --line: #dfe3e8; --accent: #2f5bd0; --ground: #f2f4f7; --card: #fff }
@media (prefers-color-scheme: dark) { :root { --quiet: #9aa1ab; --line: #33373e; --accent: #3d6bd6; --ground: #14161a; --card: #1e2126 } }
* { box-sizing: border-box }
body { margin: 0; padding: 32px 16px; background: var(--ground); font: 16px/1.55 system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif; overflow-wrap: anywhere }
main { max-width: 880px; margin: 0 auto; padding: 28px 32px; background: var(--card); border: 1px solid var(--line); border-radius: 10px }
main.small { max-width: 520px }
h1 { margin: 0 0 12px; font-size: 22px; line-height: 1.3 }
p { margin: 0 0 16px }
.quiet, dt, time { color: var(--quiet) }
button { min-height: 44px; padding: 0 24px; border: 0; border-radius: 6px; background: var(--accent); color: #fff; font: inherit; font-weight: 600; cursor: pointer }
ul { margin: 0; padding: 0; list-style: none }
li { padding: 12px 0; border-top: 1px solid var(--line) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0 0 20px }
dd { margin: 0 }
iframe { width: 100%; height: 620px; border: 1px solid var(--line); border-radius: 6px; background: #fff }
pre { margin: 20px 0 0; padding: 16px; border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere }
@media (max-width: 480px) { body { padding: 0 } main { padding: 24px 20px; border-width: 0 0 1px; border-radius: 0 } }
`

/** No script, no picture, nothing from elsewhere; the one style sheet by its hash. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(String(SHEET)).digest('base64')}'`,
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Answers with a page. */
export function sendPage(reply: FastifyReply, language: Language, title: string, content: Html): FastifyReply {
  const page = html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${SHEET}</style>
</head>
<body>
${content}
</body>
</html>
`
  return reply
    .header('content-security-policy', POLICY)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>\n${page}`)
}
