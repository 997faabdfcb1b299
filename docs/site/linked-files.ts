import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { RspressPlugin } from '@rspress/core'

/** What this plug-in needs to know of a node of Markdown. */
interface Node {
  type: string
  url?: string
  data?: object
  children?: Node[]
}

/**
 * Links of pages to files that are no pages, such as a configuration or a table of figures: each is copied into the site,
 * as a picture or as plain text, which every browser shows, and the link leads there.
 *
 * @param root of the repository
 * @param site the folder that the site is built into
 * @throws Error during the build, if there is no such file
 */
export function linkedFiles(root: string, site: string): RspressPlugin {
  const linked = new Map<string, string>()

  function carry(node: Node, page: string): void {
    if ((node.type === 'link' || node.type === 'definition') && node.url && isFile(node.url)) {
      const path = join(dirname(page), decodeURIComponent(node.url))
      if (!statSync(path, { throwIfNoEntry: false })?.isFile())
        throw new Error(`${relative(root, page)} links to ${node.url}, which is not there`)
      // Servers hide files whose names begin with a dot.
      const address = `/files/${relative(root, path).replace(/^\./, '')}${/\.(png|svg)$/.test(path) ? '' : '.txt'}`
      linked.set(path, address)
      node.url = address
      // Or the link would be taken for one to a page.
      node.data = { hProperties: { target: '_blank' } }
    }
    for (const child of node.children ?? []) carry(child, page)
  }

  return {
    name: 'linked-files',
    markdown: { remarkPlugins: [() => (tree: Node, file: { path: string }) => carry(tree, file.path)] },
    afterBuild() {
      for (const [path, address] of linked) {
        mkdirSync(dirname(join(site, address)), { recursive: true })
        copyFileSync(path, join(site, address))
      }
    },
  }
}

/** Whether a link leads to a file of the repository that is no page. */
export function isFile(url: string): boolean {
  return !/^([a-z]+:|[/#])|\.md(#|$)/.test(url)
}
