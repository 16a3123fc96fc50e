/** Which build of Tend makes renders: another one may make something else of the same files. */

/** From source, where it changes by the minute, every start is another one. */
export const buildId = process.env.TEND_BUILD ?? `source ${process.pid} ${Date.now()}`
