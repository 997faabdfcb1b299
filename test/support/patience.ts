/** How many times the figure a test allows, since other tests share its machine: 1 holds the figures themselves. */
const PATIENCE = Number(process.env.PATIENCE ?? 4)

/**
 * The bound of a duration. What hangs passes it however long it is; what is slow because the machine is busy does not.
 * `PATIENCE=1`, on a machine at rest, proves the figure.
 * @param ms the figure that is promised
 */
export const inTime = (ms: number): number => ms * PATIENCE
