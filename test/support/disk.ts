import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { newFolder } from './folder.ts'

/** Whether this user may make a disk of its own. */
export function tryToMount(): boolean {
  try {
    mountAt(newFolder(), 1)()
    return true
  } catch {
    return false
  }
}

/** A disk that is full soon. @returns what takes it away */
export function mountAt(path: string, megabytes: number): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' })
  return () => void spawnSync('umount', ['-l', path])
}

/** Leaves no byte free. @returns frees them again */
export function fillDisk(path: string): () => void {
  // It ends when no room is left, which is what it is for.
  spawnSync('dd', ['if=/dev/zero', `of=${path}/filler`, 'bs=64k'], { stdio: 'ignore' })
  return () => rmSync(`${path}/filler`)
}
