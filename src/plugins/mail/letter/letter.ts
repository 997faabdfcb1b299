import { type Html, html, type Language } from '#atrium'
import { style } from './style.ts'

/** What a mail says, ready to be laid out as text and as HTML. */
export interface Letter {
  language: Language
  subject: string
  /** the tenant in whose name it is sent */
  sender: string
  lines: readonly string[]
  items?: readonly LetterItem[]
  button?: { label: string; url: string; help: string } | undefined
  /** small print */
  after?: readonly string[]
  /** why it is sent */
  footer: readonly string[]
  unsubscribe?: { label: string; url: string } | undefined
}
export interface LetterItem {
  title: string
  content: string | null
  time: string
}

/** The letter as plain text. A link has a line of its own, so that it can be clicked. */
export function letterText({ lines, items = [], button, after = [], footer, unsubscribe }: Letter): string {
  const parts = [
    ...lines,
    ...items.map(({ title, content, time }) =>
      [`• ${title}`, ...(content ? [`  ${content}`] : []), `  ${time}`].join('\n'),
    ),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...after,
    ['-- ', ...footer, ...(unsubscribe ? [`${unsubscribe.label}:`, unsubscribe.url] : [])].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

/**
 * The letter as HTML. Mail programs know tables and inline styles; the style sheet only adds what some know: narrow
 * screens and dark colours. It loads nothing.
 */
export function letterHtml(letter: Letter): string {
  const { language, subject, sender, lines, items = [], button, after = [], footer, unsubscribe } = letter
  return `<!doctype html>\n${html`<html lang="${language}" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${SHEET}</style>
</head>
<body class="page" style="${style.page}">
<table role="presentation" class="page" width="100%" cellspacing="0" cellpadding="0" border="0" style="${style.page}">
<tr><td class="around" align="center" style="${style.around}">
<table role="presentation" class="card" width="100%" cellspacing="0" cellpadding="0" border="0" style="${style.card}">
<tr><td class="inside" style="${style.inside}">
<p class="quiet" style="${style.sender}">${sender}</p>
<h1 class="loud" style="${style.heading}">${subject}</h1>
${lines.map((line) => html`<p style="${style.line}">${line}</p>\n`)}
${items.map(itemHtml)}
${button && buttonHtml(button)}
${after.map((line) => html`<p class="quiet" style="${style.small}">${line}</p>\n`)}
</td></tr></table>
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" border="0" style="${style.foot}">
<tr><td class="quiet under" style="${style.footer}">
${footer.map((line) => html`<p style="${style.footLine}">${line}</p>\n`)}
${unsubscribe && html`<p style="${style.footLine}"><a class="quiet" href="${unsubscribe.url}" style="${style.quietLink}">${unsubscribe.label}</a></p>`}
</td></tr></table>
</td></tr></table>
</body>
</html>
`}`
}

function itemHtml({ title, content, time }: LetterItem): Html {
  return html`<table role="presentation" width="100%" cellspacing="0" cellpadding="0" border="0" style="${style.itemRow}"><tr><td class="item" style="${style.item}">
<p class="loud" style="${style.itemTitle}">${title}</p>
${content !== null && content !== '' && html`<p style="${style.itemContent}">${content}</p>`}
<p class="quiet" style="${style.itemTime}">${time}</p>
</td></tr></table>
`
}

/** The address also stands below the button, for programs that show no links. */
function buttonHtml({ label, url, help }: { label: string; url: string; help: string }): Html {
  return html`<table role="presentation" class="wide" cellspacing="0" cellpadding="0" border="0" style="${style.buttonRow}"><tr><td align="center" class="button" style="${style.buttonCell}">
<a class="button" href="${url}" style="${style.button}">${label}</a>
</td></tr></table>
<p class="quiet" style="${style.small}">${help}<br><a class="link" href="${url}" style="${style.link}">${url}</a></p>
`
}

const SHEET = html`
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (max-width: 480px) {
  .around { padding: 0 !important }
  .card { border-left: 0 !important; border-right: 0 !important; border-radius: 0 !important }
  .inside { padding: 24px 20px !important }
  .under { padding: 20px 20px 32px !important }
  .wide { width: 100% !important }
}
@media (prefers-color-scheme: dark) {
  .page { background: #14161a !important; color: #d8dbe0 !important }
  .card { background: #1e2126 !important; border-color: #33373e !important }
  .loud { color: #ffffff !important }
  .quiet { color: #9aa1ab !important }
  .item { border-color: #3d6bd6 !important }
  .link { color: #8ab0ff !important }
  .button { background: #3d6bd6 !important; color: #ffffff !important }
}
`
