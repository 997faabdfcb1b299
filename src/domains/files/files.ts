/** What other domains may use. */
export { type FileResource, fileResources } from './file-resources.ts'
export { discardFile, discardFilesOf, type FileHolder, fileHolders, publishFiles } from './files.actions.ts'
export { files } from './files.domain.ts'
export {
  addressesOf,
  addressOfKey,
  fileFaults,
  fileKeysOf,
  inPublic,
  isFileKey,
  isStoredName,
  OUTSIDE as PUBLIC_FILES,
  type PublicText,
} from './files.rules.ts'
export { publicity } from './public-files.routes.ts'
export { openStorage, storages } from './storage/open-storage.ts'
export { openSpool } from './storage/spool.ts'
export type { Storage } from './storage/storage.ts'
