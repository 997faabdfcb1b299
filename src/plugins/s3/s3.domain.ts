import { domain } from '#atrium'
import { files, storages } from '#atrium/files'
import { openS3 } from './open-s3.ts'

export default domain({
  name: 's3',
  about: 'Files in a bucket of an S3-compatible store instead of a folder',
  uses: [files],
  provides: [storages.by({ name: 's3', open: (settings) => openS3(settings) })],
})
