/** A LIKE pattern that matches the keyword literally, anywhere. */
export function containing(keyword: string): string {
  return `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
}

/** A LIKE pattern that matches texts beginning with `start`, literally. */
export function beginningWith(start: string): string {
  return `${start.replace(/[\\%_]/g, '\\$&')}%`
}
