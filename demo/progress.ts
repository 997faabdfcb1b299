import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import { spokenDateOf } from './calendar.ts'
import type { Step } from './steps.ts'

const BAR = 28
const PAUSE_MS = 80

/** Shows how far the story has come: one line that is rewritten on a terminal, else one line a month. */
export function watch(out: WriteStream, steps: Step[], done: ReadonlySet<number>) {
  let count = done.size
  let latest = 0
  let shownAt = 0
  let month = ''

  function line(): string {
    const full = Math.round((BAR * count) / steps.length)
    const bar = '━'.repeat(full) + styleText('dim', '─'.repeat(BAR - full))
    return `  ${bar}  ${grouped(count).padStart(6)} of ${grouped(steps.length)}   ${spokenDateOf(latest)}`
  }

  function rewrite() {
    if (performance.now() - shownAt < PAUSE_MS) return
    shownAt = performance.now()
    out.write(`\r\x1b[2K${line()}`)
  }

  function report() {
    const [, next] = spokenDateOf(latest).split(' ') as [string, string]
    if (next !== month) out.write(`  ${next.padEnd(10)} from step ${grouped(count)} of ${grouped(steps.length)}\n`)
    month = next
  }

  return {
    advance(step: Step) {
      count++
      latest = Math.max(latest, step.at)
      if (out.isTTY) rewrite()
      else report()
    },
    end() {
      if (out.isTTY) out.write(`\r\x1b[2K${line()}\n`)
    },
  }
}

/** 11 102, with a narrow space that stays together. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ')
}
