/** What some programs take for the end of a line beside LF, such as `readline` of Node and `splitlines` of Python. */
export const LINE_ENDS = ['\u0085', '\u2028', '\u2029'] as const

const ANY_END = new RegExp(`[${LINE_ENDS.join('')}]`, 'g')

/** A character as JSON may write it in any string. */
export function escapedInJson(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** JSON text that no program splits: the same value without the characters above. */
export function onOneLine(json: string): string {
  return json.replace(ANY_END, escapedInJson)
}
