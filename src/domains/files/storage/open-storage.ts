import { type FileSettings, ports, Refusal, type S3Settings } from '#atrium'
import { openLocal } from './local.ts'
import type { Storage } from './storage.ts'

/** What keeps files elsewhere than in a folder. */
export interface StorageElsewhere {
  /** what FILE_STORAGE calls it, and the name of its plug-in */
  readonly name: S3Settings['storage']
  open(settings: S3Settings): Promise<Storage>
}
export const storages = ports<StorageElsewhere>('where files are kept, if not in a folder')

/**
 * Opens the storage that the settings name. Nothing is written yet, so an unavailable folder does not prevent the start.
 * @throws Refusal if its plug-in is off
 */
export async function openStorage(settings: FileSettings): Promise<Storage> {
  return settings.storage === 'local' ? openLocal(settings) : storageOf(settings).open(settings)
}

/** @throws Refusal if the plug-in of the storage that the settings name is off: another one would not have its files */
export function proveStorage(settings: FileSettings): void {
  if (settings.storage !== 'local') storageOf(settings)
}

function storageOf({ storage }: S3Settings): StorageElsewhere {
  const found = storages.all().find(({ name }) => name === storage)
  if (found) return found
  throw new Refusal(`FILE_STORAGE=${storage} needs the plug-in ${storage}, which is off: name it in PLUGINS.`)
}
