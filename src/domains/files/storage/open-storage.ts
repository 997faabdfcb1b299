import type { FileSettings } from '#atrium'
import { openLocal } from './local.ts'
import { openS3 } from './s3.ts'
import type { Storage } from './storage.ts'

/** Opens the storage that the settings name. Nothing is written yet, so an unavailable folder does not prevent the start. */
export async function openStorage(settings: FileSettings): Promise<Storage> {
  return settings.storage === 's3' ? openS3(settings) : openLocal(settings)
}
