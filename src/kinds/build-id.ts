/** The build of Tend that makes renders: another build may render the same files differently. */

/** A Tend that runs from source gets another id at every start, because its source may have changed. */
export const buildId = process.env.TEND_BUILD ?? `source ${process.pid} ${Date.now()}`
