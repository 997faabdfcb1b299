import { useCommand } from '../lib/command.ts'
import { html, useState, type View } from '../lib/html.ts'
import { numberText, t } from '../lib/language.ts'
import { Question } from './dialog.ts'
import { say } from './notice.ts'

/** Something that can be done to several rows of a list, one after the other. */
export interface Deed<Row> {
  /** the word on its button */
  word: string
  /** what will happen to them */
  question: string
  /** whether it can be done to this row; by default it can */
  fits?(row: Row): boolean
  act(row: Row): Promise<unknown>
}

interface DeedsOptions<Row> {
  rows: readonly Row[]
  deeds: readonly Deed<Row>[]
  /** Rows that are done are chosen no more. */
  done(row: Row): void
  /** called at the end, however it ended */
  then(): void
}

/** What can be done to the chosen rows. The first refusal ends it, and the rows that are left stay chosen. */
export function Deeds<Row>({ rows, deeds, done, then }: DeedsOptions<Row>): View {
  const [asked, ask] = useState<Deed<Row>>()
  const fitting = (deed: Deed<Row>) => rows.filter((row) => deed.fits?.(row) ?? true)
  const command = useCommand(async (deed: Deed<Row>) => {
    const all = fitting(deed)
    try {
      for (const row of all) {
        await deed.act(row)
        done(row)
      }
    } finally {
      then()
    }
    ask(undefined)
    say(t('Done: {count}.', { count: numberText(all.length) }))
  })
  const close = () => {
    command.clear()
    ask(undefined)
  }
  return html`<div class="actions sticky" role="group" aria-label=${t('Chosen rows')}>
      <span>${t('{count} chosen', { count: numberText(rows.length) })}</span>
      ${deeds.map((deed) => {
        const count = fitting(deed).length
        return (
          count > 0 &&
          html`<button type="button" onClick=${() => ask(deed)}>${deed.word} (${numberText(count)})</button>`
        )
      })}
    </div>
    ${
      asked &&
      html`<${Question}
        title=${asked.word}
        question=${asked.question}
        yes=${command.isBusy ? t('Working…') : `${asked.word} (${numberText(fitting(asked).length)})`}
        of=${command}
        act=${() => void command.run(asked)}
        onClose=${close}
      />`
    }`
}
