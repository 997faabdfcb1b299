import type { StoredFile } from './operations.ts'

/** What `downloadFile` and `deleteFile` ask for. A link would not do: they want the token. */
export function addressOf({ key }: Pick<StoredFile, 'key'>): { tenantId: number; filename: string } {
  const [tenantId, filename] = key.split('/') as [string, string]
  return { tenantId: Number(tenantId), filename }
}

export function formOf(body: Record<string, File>): FormData {
  const form = new FormData()
  for (const [name, file] of Object.entries(body)) form.append(name, file)
  return form
}
