import type { Readable } from 'node:stream'

/** Where the bytes of files are. */
export interface FileBytes {
  read(tenantId: number, filename: string): Promise<{ size: number; body: Readable } | undefined>
}

interface Named {
  tenantId: number
  filename: string
}

/**
 * Each file of a snapshot with its bytes; without, if they are missing although its row is still there. A file that was
 * deleted after the snapshot goes into `gone`: its row has to be left out as well, so that what is read back is consistent.
 */
export async function* withBytes<File extends Named, Found>(
  snapshot: { files(): AsyncIterable<File>; isThere(file: File): Promise<boolean> },
  read: (file: File) => Promise<Found | undefined>,
  gone: File[],
): AsyncGenerator<{ file: File; found: Found | undefined }> {
  for await (const file of snapshot.files()) {
    const found = await read(file)
    if (found === undefined && !(await snapshot.isThere(file))) gone.push(file)
    else yield { file, found }
  }
}
