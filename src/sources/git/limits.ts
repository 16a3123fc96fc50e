/** How much of a repository is taken, and how long it may take. */

export type GitLimits = {
  /** Asking for the refs, ms. */
  readonly lookTime: number
  /** Fetching a commit, ms. */
  readonly fetchTime: number
  /** All files of a commit together, and what is fetched at once. */
  readonly mostBytes: number
  /** A file beyond is not fetched; using it is a problem that says so. */
  readonly largestFile: number
  readonly mostFiles: number
}

export const usualLimits: GitLimits = {
  lookTime: 30_000,
  fetchTime: 5 * 60_000,
  mostBytes: 1024 ** 3,
  largestFile: 50 * 1024 ** 2,
  mostFiles: 100_000,
}
