import type { Writable } from 'node:stream'

/** @returns call it before writing: everything that is written in one turn of the loop leaves in one system call */
export function gathering(streamOf: () => Writable): () => void {
  let isGathering = false
  return () => {
    if (isGathering) return
    isGathering = true
    const stream = streamOf()
    stream.cork()
    setImmediate(() => {
      isGathering = false
      stream.uncork()
    })
  }
}
