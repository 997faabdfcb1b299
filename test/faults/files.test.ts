import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { endsWithFile } from '../support/clean-up.ts'
import { mountAt, tryToMount } from '../support/disk.ts'
import { pngOf } from '../support/form.ts'
import { givenFolder, uploadOf } from '../support/uploads.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World

/** A file system of three megabytes, where this process may mount one. */
const mayMount = process.platform === 'linux' && process.getuid?.() === 0 && tryToMount()

describe.skipIf(!mayMount)('a file system', () => {
  test('that is full takes no upload, keeps no part of one, and goes on with everything else', async () => {
    const { root, names } = await givenSmallDisk()
    const kept = [await upload(1_000_000), await upload(1_000_000)].map((answer) => answer.expect(201).url)

    for (const refused of await Promise.all(Array.from({ length: 8 }, () => upload(1_500_000))))
      refused.expect(503, 'UNAVAILABLE')
    expect(names(1), root).toHaveLength(2)
    const admin = world.as(world.admin)
    ;(await admin.get('/projects')).expect(200)
    ;(await admin.get('/files')).expect(200)
    expect((await download(kept[0])).statusCode).toBe(200)

    ;(await admin.delete(kept[0].replace('/api/v1', ''))).expect(200)
    ;(await upload(1_000_000)).expect(201)
  })

  test('that is read-only takes no upload, and serves what it has', async () => {
    const { root, names } = await givenSmallDisk()
    const { url } = (await upload(1000)).expect(201)
    execFileSync('mount', ['-o', 'remount,ro', root])
    ;(await upload(1000)).expect(503)
    expect((await download(url)).statusCode).toBe(200)
    const admin = world.as(world.admin)
    ;(await admin.get('/projects')).expect(200)
    // The row goes, the bytes stay for the sweep.
    ;(await admin.delete(url.replace('/api/v1', ''))).expect(200)
    expect(names(1)).toHaveLength(1)
  })
})

test('a folder that cannot be made does not keep the service from starting', async () => {
  world = await openWorld({ env: { FILE_STORAGE_ROOT: '/dev/null/files' } })
  ;(await upload(1000)).expect(503)
  ;(await world.as(world.admin).get('/projects')).expect(200)
})

async function givenSmallDisk() {
  const folder = givenFolder()
  endsWithFile(mountAt(folder.root, 3))
  world = await openWorld({ env: { FILE_STORAGE_ROOT: folder.root } })
  return folder
}

const upload = (size: number) => uploadOf(world).send(world.admin, [{ filename: 'a.png', content: pngOf(size) }])

const download = (url: string) => uploadOf(world).download(world.admin, url)
