import { api, isRefusal } from '../lib/api.ts'
import { type Command, useCommand } from '../lib/command.ts'
import { type Children, html, useEffect, useState, type View } from '../lib/html.ts'
import { t, timeText } from '../lib/language.ts'
import { type Loaded, useLoad } from '../lib/load.ts'
import { may, me } from '../lib/me.ts'
import { Field, type FieldOptions, Form, type Values } from './form.ts'
import { say } from './notice.ts'

/** What a form shows, in words: label and value. */
export type Facts = readonly (readonly [label: string, value: string])[]

interface EditOptions<Data> {
  of: Loaded<Data>
  /** where it is changed, such as `/api/v1/users/7`, perhaps in several ways: the audit names it */
  address: string | readonly string[]
  fields?(data: Data): readonly FieldOptions[]
  /** what it shows beside its fields */
  facts?(data: Data): Facts
  save(values: Values, data: Data): Promise<unknown>
  /** what stands below the fields */
  children?: (data: Data) => Children
}

/** What fields show, in words. */
export const factsOf = (fields: readonly FieldOptions[]): Facts =>
  fields.map(({ label, value, options = [] }) => {
    const text = String(value ?? '')
    return [label, options.find(([one]) => one === text)?.[1] ?? text]
  })

/**
 * The form of something that was loaded. If somebody else has changed it meanwhile, nothing is overwritten: the form says
 * who changed what. Fields that the person has not touched then show what they are now, and what was typed stays.
 */
export function Edit<Data>({ of, address, fields, facts, save, children }: EditOptions<Data>): View {
  const [turn, setTurn] = useState(0)
  const [before, setBefore] = useState<Facts>()
  const data = of.data!
  const shown = fields?.(data) ?? []
  const now = [...factsOf(shown), ...(facts?.(data) ?? [])]
  const command = useCommand(
    async (values: Values, isAsSent: () => boolean) => {
      await save(values, data)
      return isAsSent()
    },
    (isAsSent) => {
      setBefore(undefined)
      // What was typed while it was saved stays.
      if (isAsSent) setTurn(turn + 1)
      of.again()
      say(t('Saved'))
    },
  )
  const isStale = staleness(command.failure)
  useEffect(() => {
    if (!isStale) return
    setBefore(now)
    of.again()
  }, [command.failure])
  return html`<${Form} key=${turn} command=${untilRead(command, of)} save=${t('Save')}>
    ${shown.map((field) => html`<${Field} key=${field.name} ...${field} />`)}
    ${children?.(data)}
    ${before && html`<${Changed} address=${address} before=${before} now=${now} isLoading=${of.isLoading} />`}
  <//>`
}

/** Whether a change was refused because somebody else came first. */
export function staleness(failure: unknown): boolean {
  return isRefusal(failure, 'VERSION_CONFLICT') || isRefusal(failure, 'PRECONDITION_FAILED')
}

/**
 * A command as its form has it. It is busy until what it changes is read again: the version that a save would name is the
 * old one. That somebody else came first is said by `Changed`.
 */
export function untilRead<Input extends unknown[]>(
  command: Command<Input>,
  { isLoading }: Loaded<unknown>,
): Command<Input> {
  const isStale = staleness(command.failure)
  return { ...command, isBusy: command.isBusy || isLoading, ...(isStale && { failure: undefined }) }
}

interface ChangedOptions {
  address: string | readonly string[]
  before: Facts
  now: Facts
  isLoading: boolean
}

/** Who changed something meanwhile, and what. */
export function Changed({ address, before, now, isLoading }: ChangedOptions): View {
  const change = useLastChange(address)
  const differences = now.flatMap(([label, value], at) => {
    const was = before[at]?.[1] ?? ''
    return was === value ? [] : [{ label, was, value }]
  })
  const sentence = change
    ? t('{name} changed this on {time}. Nothing was overwritten.', { name: change.name, time: change.time })
    : t('Somebody else changed this meanwhile. Nothing was overwritten.')
  return html`<div class="failure changed" role="alert">
    <p>${sentence}</p>
    ${
      differences.length > 0
        ? html`<ul>
            ${differences.map(({ label, was, value }) => html`<li>${label}: <del>${was || '–'}</del> → <ins>${value || '–'}</ins></li>`)}
          </ul>`
        : isLoading && html`<p class="quiet">${t('Loading…')}</p>`
    }
    <p>${t('What you typed is still in the form. Save again to apply it to what is there now.')}</p>
  </div>`
}

/** The last change of an address, from the audit, for those who may read it. */
function useLastChange(address: string | readonly string[]): { name: string; time: string } | undefined {
  const addresses = [address].flat()
  const change = useLoad(async () => {
    if (!may('audit:view')) return undefined
    const found = await Promise.all(addresses.map(changesOf))
    const [last] = found.flat().sort((one, other) => other.createdAt.localeCompare(one.createdAt))
    return last && { name: last.username ?? t('a former member'), time: timeText(last.createdAt) }
  }, [addresses.join()])
  return change.data
}

async function changesOf(address: string) {
  // Everybody's own profile has the same address.
  const by = address.endsWith('/me') ? { userId: me.get()!.id } : {}
  const about = { path: address, status: 200, method: 'PUT', pageSize: 20, page: 1 } as const
  const requests = await api.listAuditOperations({ ...about, ...by })
  return requests.filter(({ path }) => path === address)
}
