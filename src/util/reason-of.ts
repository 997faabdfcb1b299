/** The sentence of an error of the network, the files or the database; of several attempts, the first. */
export function reasonOf(error: Error & { code?: string; errors?: Error[] }): string {
  return error.message || error.errors?.[0]?.message || error.code || error.name
}
