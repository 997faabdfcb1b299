import { join } from 'node:path'
import { endsWithFile } from '#test/clean-up.ts'
import { newFolder } from '#test/folder.ts'
import type { StorageKind } from '#test/storages.ts'
import { digestOf } from '#test/uploads.ts'
import { startFakeS3 } from './fake-s3.ts'

export default {
  name: 'an S3-compatible store',
  async given() {
    const root = newFolder()
    const { env, objects, close } = await startFakeS3('uploads')
    endsWithFile(close)
    const isKept = (key: string) => !key.startsWith('quarantine/')
    return {
      env: { ...env, DATA_DIR: root },
      spool: join(root, 'spool'),
      stored: () =>
        new Map([...objects].filter(([key]) => isKept(key)).map(([key, { body }]) => [key, digestOf(body)])),
    }
  },
} satisfies StorageKind
