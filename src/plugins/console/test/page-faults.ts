import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds on a page. It need not read the styles a second time (`preload`), and looks at violations only. */
export async function violationsOn(page: Page): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source)
  const found: any = await page.evaluate(`axe.run({ preload: false, resultTypes: ['violations'] })`)
  if (found.passes.length === 0) throw new Error('axe looked at nothing')
  return found.violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].target} ${nodes[0].html.slice(0, 160)}`)
}

/** What of a page is wider than its place, reads in the wrong direction, moves, or is a name that was taken for markup. */
export const misfitsOn = (page: Page): Promise<string[]> => page.evaluate(misfits)

/** Runs in the page. */
function misfits(): string[] {
  const SCROLLED = '.wide *, .tree *'
  const UNSEEN = '.hidden, [hidden], svg'
  const RIGHT_TO_LEFT = /^\s*[\u0590-\u08ff]/
  const found: string[] = []
  const nameOf = (one: Element) => `${one.tagName} ${one.className} "${one.textContent.trim().slice(0, 40)}"`
  const { clientWidth, scrollWidth } = document.scrollingElement!
  if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} px wider than its window`)
  let widest = { by: 1, name: '' }
  for (const one of document.querySelectorAll('body *')) {
    if (one.closest(UNSEEN)) continue
    const style = getComputedStyle(one)
    const by = one.closest(SCROLLED) ? 0 : Math.max(beyondWindow(one), beyondItself(one, style))
    if (by >= widest.by) widest = { by, name: nameOf(one) }
    if (style.animationName !== 'none' || style.transitionDuration !== '0s') found.push(`moves: ${nameOf(one)}`)
    if (isTurned(one)) found.push(`reads from left to right: ${nameOf(one)}`)
  }
  if (widest.name) found.push(`${Math.round(widest.by)} px too wide: ${widest.name}`)
  if (document.querySelector('main img[src="x"], main b')) found.push('a name was taken for markup')
  return [...new Set(found)]

  function beyondWindow(one: Element): number {
    const { left, right, width } = one.getBoundingClientRect()
    return width ? Math.max(-left, right - clientWidth) : 0
  }

  function beyondItself(one: Element, { overflowX, display }: CSSStyleDeclaration): number {
    return overflowX === 'visible' && display !== 'inline' && one.clientWidth ? one.scrollWidth - one.clientWidth : 0
  }

  /** The bracket that ends a Hebrew or Arabic name stands on its left. */
  function isTurned({ firstChild }: Element): boolean {
    const text = firstChild instanceof Text ? firstChild.data.trimEnd() : ''
    if (!RIGHT_TO_LEFT.test(text) || !text.endsWith('>')) return false
    const [word, end] = [text.lastIndexOf('n()>'), text.length - 1].map((at) => {
      const range = new Range()
      range.setStart(firstChild!, at)
      range.setEnd(firstChild!, at + 1)
      return range.getBoundingClientRect()
    })
    return word!.top === end!.top && word!.left < end!.left
  }
}
