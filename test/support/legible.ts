/**
 * A program for a page: how far it is wider than the screen, which texts are too faint to read (WCAG 2.2, 1.4.3) and what
 * is too small to be hit.
 */
export const LOOK = `(() => {
  const luminance = (color) => {
    const [r, g, b] = color.match(/[0-9.]+/g).map((part) => {
      const c = Number(part) / 255
      return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor
      if (color !== 'rgba(0, 0, 0, 0)') return color
    }
    return 'rgb(255, 255, 255)'
  }
  const shown = (selector) =>
    [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility())
  const contrasts = shown('p, h1, a, label, button').filter((element) => element.innerText).map((element) => {
    const [one, other] = [luminance(getComputedStyle(element).color), luminance(backgroundOf(element))]
    return { text: element.innerText, contrast: (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) }
  })
  return {
    overflow: document.documentElement.scrollWidth - innerWidth,
    faint: contrasts.filter(({ contrast }) => contrast < 4.5),
    small: shown('button, input, a').filter((element) => element.getBoundingClientRect().height < 20).map((element) => element.outerHTML),
  }
})()`
