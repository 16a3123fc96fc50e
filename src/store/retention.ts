/** How much history is kept. */

/**
 * Of so many newest runs of an application the events and snapshots are kept. The snapshot of the last run that
 * succeeded and left something running is kept however old it is: it is what a rollback goes to.
 */
export const keptRuns = 50
