/** The colours of the page: those of the system, unless the person has chosen. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEPT = 'atrium.theme'

export const theme = (): Theme => THEMES.find((one) => one === localStorage.getItem(KEPT)) ?? 'system'

/** Shows the page in the chosen colours, now and at the next visit. */
export function wear(chosen: Theme = theme()): void {
  localStorage.setItem(KEPT, chosen)
  document.documentElement.dataset.theme = chosen
}
