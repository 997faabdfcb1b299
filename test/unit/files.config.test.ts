import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'

describe('the file storage', () => {
  test('is a folder beside the data, unless it is named', () => {
    expect(files({ DATA_DIR: 'here' })).toEqual({ storage: 'local', root: resolve('here/files'), maxSize: 10_485_760 })
    expect(files({ FILE_STORAGE_ROOT: '/srv/files', FILE_MAX_SIZE_BYTES: '5' })).toEqual({
      storage: 'local',
      root: '/srv/files',
      maxSize: 5,
    })
  })

  test.each([
    ['S3_BUCKET', { S3_BUCKET: 'b' }],
    ['S3_FORCE_PATH_STYLE', { S3_FORCE_PATH_STYLE: 'false' }],
    ['S3_BUCKET', { FILE_STORAGE: 's3' }],
    ['FILE_STORAGE_ROOT', { FILE_STORAGE: 's3', S3_BUCKET: 'b', FILE_STORAGE_ROOT: '/srv' }],
    ['S3_SECRET_ACCESS_KEY', { FILE_STORAGE: 's3', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'id' }],
    ['S3_ENDPOINT', { FILE_STORAGE: 's3', S3_BUCKET: 'b', S3_ENDPOINT: 'minio:9000' }],
    ['FILE_STORAGE', { FILE_STORAGE: 'S3' }],
  ])('is never half of each (%s)', (name, environment) => {
    expect(() => files(environment)).toThrow(new RegExp(`^The configuration is not valid:[\\s\\S]*${name}`))
  })
})

function files(environment: Record<string, string>) {
  return readConfig(environment, () => 'generated').files
}
