import { type Language, texts, z } from '#atrium'
import type { AccountPage } from '../account.rules.ts'

const words = z.record(z.string(), z.string())
const PageTexts = z.strictObject({
  other: z.string(),
  incomplete: z.string(),
  unreachable: z.string(),
  working: z.string(),
  invitation: words,
  password: words,
  email: words,
})
const textsIn = texts(new URL('./', import.meta.url), PageTexts)
const OTHER: Record<Language, Language> = { en: 'zh-CN', 'zh-CN': 'en' }

const FIELDS: Record<AccountPage, (say: Record<string, string>) => string> = {
  invitation: (say) => `
        <label>${say.username}<input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" required aria-describedby="alert" /></label>
        <label>${say.nickname}<input name="nickname" autocomplete="nickname" maxlength="64" aria-describedby="alert" /></label>${password(say)}`,
  password,
  email: () => '',
}

function password(say: Record<string, string>): string {
  return `
        <label>${say.password}<input name="password" type="password" autocomplete="new-password" minlength="6" maxlength="128" required aria-describedby="alert" /></label>
        <label class="option"><input type="checkbox" />${say.show}</label>`
}

/** A page for links, in one language. It loads nothing from elsewhere, and contains no inline script or style. */
export function pageHtml(page: AccountPage, language: Language): string {
  const { other, incomplete, unreachable, working, [page]: say } = textsIn(language)
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${say.title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="page.css" />
    <script src="page.js" type="module"></script>
  </head>
  <body>
    <main data-page="${page}" data-incomplete="${incomplete}" data-unreachable="${unreachable}" data-lead="${say.lead}" data-done="${say.done}">
      <header><a id="language" href="?lang=${OTHER[language]}" lang="${OTHER[language]}" hreflang="${OTHER[language]}">${other}</a></header>
      <h1>${say.title}</h1>
      <p id="lead" class="quiet">${working}</p>
      <p id="alert" role="alert"></p>
      <form hidden>${FIELDS[page](say)}
        <button type="submit">${say.submit}</button>
      </form>
      <p id="done" class="done" role="status" tabindex="-1"></p>
    </main>
  </body>
</html>
`
}
