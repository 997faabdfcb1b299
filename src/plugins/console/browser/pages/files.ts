import { type AttachedFile, addressOf, api } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { html, useRef, type View } from '../lib/html.ts'
import { bytesText, t, timeText } from '../lib/language.ts'
import { useRows } from '../lib/load.ts'
import { may, me } from '../lib/me.ts'
import { useNames } from '../lib/names.ts'
import { useQuery } from '../lib/router.ts'
import { Confirm } from '../parts/dialog.ts'
import { Filter, Filters } from '../parts/filters.ts'
import { Named } from '../parts/named.ts'
import { Failure, say, sayFailure } from '../parts/notice.ts'
import { Page } from '../parts/page.ts'
import { list } from '../parts/table.ts'

/** The files of the tenant: whose they are, what they take, and what holds them. */
export default function Files(): View {
  const filters = useQuery('resourceType')
  const files = useRows((signal) => api.each.listFiles(filters as object, { signal }), Object.values(filters))
  const rows = files.data ?? []
  const nameOf = useNames(rows.map(({ uploaderId }) => uploaderId))
  const bytes = rows.reduce((sum, { size }) => sum + size, 0)
  return html`<${Page} title=${t('Files')} actions=${may('file:upload') && html`<${Upload} then=${files.again} />`}>
    <${Filters}>
      <${Filter} name="resourceType" label=${t('Held by')} all=${t('All')} options=${[
        ['task', t('Tasks')],
        ['approval', t('Approvals')],
        ['article', t('Articles')],
      ]} />
    <//>
    ${rows.length > 0 && html`<p class="quiet">${t('The files below take {bytes}.', { bytes: bytesText(bytes) })}</p>`}
    ${list({
      of: files,
      whole: { operation: 'listFiles', filters },
      caption: t('Files'),
      keyOf: ({ key }) => key,
      nameOf: ({ originalName }) => originalName,
      deeds: [
        {
          word: t('Delete'),
          question: t('They are deleted for everybody. That works only for those that nothing shows or holds.'),
          fits: mayDelete,
          act: (file) => api.deleteFile(addressOf(file)),
        },
      ],
      empty: t('There are no such files. They are uploaded here, or with tasks, requests and articles.'),
      columns: [
        { title: t('File'), of: (file) => html`<${Download} of=${file} />` },
        { title: t('Owner'), of: ({ uploaderId }) => nameOf(uploaderId) },
        { title: t('Size'), isNumber: true, of: ({ size }) => bytesText(size) },
        {
          title: t('Held by'),
          of: ({ resourceType, resourceId }) =>
            resourceType && resourceId ? html`<${Named} kind=${resourceType} id=${resourceId} />` : '–',
        },
        { title: t('Uploaded'), isTime: true, of: ({ createdAt }) => timeText(createdAt) },
        { title: t('Actions'), of: (file) => html`<${Delete} of=${file} then=${files.again} />` },
      ],
    })}
  <//>`
}

/** Saves a file: it needs the token, so a link would not do. */
function Download({ of: file }: { of: AttachedFile }): View {
  const save = async () => {
    const answer = await api.downloadFile(addressOf(file))
    const url = URL.createObjectURL(await answer.blob())
    const link = Object.assign(document.createElement('a'), { href: url, download: file.originalName })
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
  }
  return html`<button type="button" class="link" onClick=${() => save().catch(sayFailure)}>${file.originalName}</button>`
}

const mayDelete = ({ uploaderId }: AttachedFile) =>
  may('file:upload') && (uploaderId === me.get()?.id || may('file:manage'))

function Delete({ of: file, then }: { of: AttachedFile; then(): void }): View {
  if (!mayDelete(file)) return null
  return html`<${Confirm}
    label=${t('Delete')}
    question=${t('{name} is deleted for everybody. That works only if nothing shows or holds it.', { name: file.originalName })}
    act=${() => api.deleteFile(addressOf(file))}
    said=${t('{name} was deleted.', { name: file.originalName })}
    then=${then}
  />`
}

function Upload({ then }: { then(): void }): View {
  const input = useRef<HTMLInputElement>(null)
  const command = useCommand(
    (file: File) => api.uploadFile({ body: { file } }),
    ({ originalName }) => {
      say(t('{name} was uploaded.', { name: originalName }))
      then()
    },
  )
  const send = () => {
    const file = input.current!.files?.[0]
    if (file) void command.run(file)
    input.current!.value = ''
  }
  return html`
    <input ref=${input} type="file" hidden aria-label=${t('Upload a file')} onChange=${send} />
    <button type="button" aria-disabled=${command.isBusy} onClick=${() => command.isBusy || input.current!.click()}>
      ${command.isBusy ? t('Working…') : t('Upload a file')}
    </button>
    <${Failure} of=${command.failure} />
  `
}
