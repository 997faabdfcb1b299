/** The day of an instant in the time zone of the page, as a field for a day takes it; '' for none. */
export const dayOf = (instant: string | number | null): string =>
  instant === null ? '' : new Date(instant).toLocaleDateString('sv')

/** The end of a day in the time zone of the page; null for none. */
export const endOf = (day: string | undefined): string | null =>
  day ? new Date(`${day}T23:59:59.999`).toISOString() : null
