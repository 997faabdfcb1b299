import fc from 'fast-check'

/**
 * Texts of any characters of Unicode, lone surrogates included. fast-check's own (`fc.string({ unit: 'binary' })`) first
 * makes a table of all million of them, which takes a second.
 */
export const anyText = fc
  .array(
    fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
    { maxLength: 10 },
  )
  .map((characters) => characters.join(''))
