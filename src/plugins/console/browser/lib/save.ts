interface Picker {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<{ createWritable(): Promise<WritableStream> }>
}

/**
 * Saves the bytes of an answer as a file: straight to the disk if the browser can, and otherwise by way of its memory.
 * @param progress is told how many bytes have come
 * @returns false if the person has chosen not to save it
 */
export async function save(answer: Response, name: string, progress: (bytes: number) => void): Promise<boolean> {
  let bytes = 0
  const counted = answer.body!.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length
        progress(bytes)
        controller.enqueue(chunk)
      },
    }),
  )
  const picked = await (globalThis as Picker)
    .showSaveFilePicker?.({ suggestedName: name })
    // Long after a click, a browser no longer asks.
    .catch((error: Error) => (error.name === 'AbortError' ? 'nowhere' : undefined))
  if (picked === 'nowhere') {
    await counted.cancel()
    return false
  }
  if (picked) {
    await counted.pipeTo(await picked.createWritable())
    return true
  }
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await new Response(counted).blob())
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
  return true
}
