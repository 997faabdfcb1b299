import pg from 'pg'

/** A name of a table or a column, and a text, as SQL writes them: for statements that are made from the schema. */
export const quoted = pg.escapeIdentifier
export const literal = pg.escapeLiteral
