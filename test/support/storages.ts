import { defaultsOfPlugins } from '../../tools/of-plugins.ts'
import { newFolder } from './folder.ts'
import { type Stored, storedIn } from './uploads.ts'

/** A place where a service of a test keeps files, and how to look into it. */
export interface StorageAtHand {
  /** tells the service of it */
  env: Record<string, string>
  /** the folder of uploads that are incomplete */
  spool: string
  /** what is stored, without what is in quarantine */
  stored(): Stored
}

/** A kind of storage. A plug-in adds one by the default export of `test/storage.ts` in its folder. */
export interface StorageKind {
  name: string
  given(): Promise<StorageAtHand>
}

const inAFolder: StorageKind = {
  name: 'a folder',
  async given() {
    const root = newFolder()
    return { env: { FILE_STORAGE_ROOT: root }, spool: root, stored: () => storedIn(root) }
  },
}

/** Each kind of storage that there is. */
export const STORAGES: readonly StorageKind[] = [
  inAFolder,
  ...(await defaultsOfPlugins<StorageKind>('test/storage.ts')),
]
