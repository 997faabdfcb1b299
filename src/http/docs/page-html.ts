export interface Account {
  username: string
  password: string
}

/** The documentation page. It loads nothing from elsewhere, and contains no inline script. */
export function pageHtml(account: Account | undefined): string {
  const known = account ? ` data-username="${account.username}" data-password="${account.password}"` : ''
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Atrium API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="page.css" />
    <script src="scalar.js" defer></script>
    <script src="page.js" type="module"></script>
  </head>
  <body>
    <form id="session"${known}>
      <output></output>
      <button type="submit"></button>
    </form>
    <main id="reference"></main>
  </body>
</html>
`
}
