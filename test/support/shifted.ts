/** SQL of a time that is moved by an interval. Citus refuses the plain sum in an UPDATE: it depends on the time zone. */
export const shifted = (column: string, by: string) =>
  `(${column} at time zone 'UTC' + interval '${by}') at time zone 'UTC'`
