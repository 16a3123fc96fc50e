/** Time and chance, as a port: pure rooms have no other. */

export type Clock = {
  now(): number
  /** Rejects with the signal's reason when it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
  /** 0 ≤ x < 1, for jitter. */
  random(): number
}
