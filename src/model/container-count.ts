/** How many containers run, of those that are to run. A job that ended well is completed, and not one of them any more. */
export type ContainerCount = {
  readonly running: number
  readonly total: number
  /** Absent: none. */
  readonly completed?: number | undefined
}
