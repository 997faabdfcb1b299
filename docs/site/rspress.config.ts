import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@rspress/core'
import { isFile, linkedFiles } from './linked-files.ts'

/** The site of `npm run docs`: every Markdown file of the repository is a page, at the address of its path. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SITE = fileURLToPath(new URL('dist', import.meta.url))

/** The order in which the pages are listed. One that is missing here is found by links and by the search. */
const GROUPS = {
  Start: ['README', 'client/README', 'docs/console', 'docs/fast-vue3'],
  'Build on it': ['docs/integrations', 'docs/a-domain-of-your-own'],
  'Run it': ['docs/configuration', 'docs/operations', 'docs/scaling', 'deploy/kubernetes/README', 'docs/performance'],
  'Understand it': ['docs/design', 'docs/transactions', 'docs/glossary', 'docs/releases', 'SECURITY'],
  'Change it': ['CONTRIBUTING', 'CHANGELOG'],
}

const titleOf = (page: string) => /^# (.*)/m.exec(readFileSync(join(ROOT, `${page}.md`), 'utf8'))![1]!

export default defineConfig({
  root: ROOT,
  outDir: SITE,
  title: 'Atrium',
  description: 'The back end of an enterprise web application, as one HTTP service',
  lang: 'en',
  route: {
    extensions: ['.md', '.mdx'],
    exclude: ['README.md', 'client/dist/**', 'docs/site/**', 'release/**', 'src/**', 'test/**'],
  },
  markdown: { link: { checkDeadLinks: { excludes: isFile }, checkAnchors: true } },
  themeConfig: {
    sidebar: {
      '/': Object.entries(GROUPS).map(([text, pages]) => ({
        text,
        collapsible: false,
        items: pages.map((page) => ({ text: titleOf(page), link: page === 'README' ? '/' : `/${page}` })),
      })),
    },
  },
  plugins: [
    { name: 'first-page', addPages: () => [{ routePath: '/', filepath: join(ROOT, 'README.md') }] },
    linkedFiles(ROOT, SITE),
  ],
  // So links to the README lead to the first page.
  replaceRules: [{ search: /\]\((\.\.\/)?README\.md/g, replace: '](/index.md' }],
  builderConfig: {
    // A page that has not changed can link to a heading that has: each build reads all pages.
    performance: { buildCache: false },
    // `images/console.png` is a path, and no package.
    tools: { bundlerChain: (chain) => void chain.module.rule('mdx').resolve.preferRelative(true) },
  },
})
