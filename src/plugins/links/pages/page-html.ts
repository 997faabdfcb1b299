import { type Language, texts, z } from '#atrium'
import type { LinkField, LinkPage } from '../links.rules.ts'

const PageTexts = z.strictObject({
  ...{ other: z.string(), incomplete: z.string(), unreachable: z.string(), working: z.string() },
  ...{ username: z.string(), nickname: z.string(), password: z.string(), newPassword: z.string(), show: z.string() },
})
export const pageTexts = texts(new URL('../texts/pages/', import.meta.url), PageTexts)
type Texts = z.output<typeof PageTexts>

const OTHER: Record<Language, Language> = { en: 'zh-CN', 'zh-CN': 'en' }

const FIELDS: Record<LinkField, (say: Texts) => string> = {
  username: (say) => `
        <label>${say.username}<input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" required aria-describedby="alert" /></label>`,
  nickname: (say) => `
        <label>${say.nickname}<input name="nickname" autocomplete="nickname" maxlength="64" aria-describedby="alert" /></label>`,
  password: (say) => password(say, 'password'),
  newPassword: (say) => password(say, 'newPassword'),
}

function password(say: Texts, name: 'password' | 'newPassword'): string {
  return `
        <label>${say[name]}<input name="${name}" type="password" autocomplete="new-password" minlength="6" maxlength="128" required aria-describedby="alert" /></label>
        <label class="option"><input type="checkbox" />${say.show}</label>`
}

/** A page for links, in one language. It loads nothing from elsewhere, and contains no inline script or style. */
export function pageHtml(page: LinkPage, language: Language): string {
  const say = pageTexts(language)
  const { title, lead, submit, done } = language === 'en' ? page.en : page.zh
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="page.css" />
    <script src="page.js" type="module"></script>
  </head>
  <body>
    <main data-preview="${page.preview ?? ''}" data-action="${page.action}" data-incomplete="${say.incomplete}" data-unreachable="${say.unreachable}" data-lead="${lead}" data-done="${done}">
      <header><a id="language" href="?lang=${OTHER[language]}" lang="${OTHER[language]}" hreflang="${OTHER[language]}">${say.other}</a></header>
      <h1>${title}</h1>
      <p id="lead" class="quiet">${say.working}</p>
      <p id="alert" role="alert"></p>
      <form hidden>${page.fields.map((field) => FIELDS[field](say)).join('')}
        <button type="submit">${submit}</button>
      </form>
      <p id="done" class="done" role="status" tabindex="-1"></p>
    </main>
  </body>
</html>
`
}
