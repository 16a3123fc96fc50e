/** Who asked for which change, from where, and what the answer was. Rows are added and read, never changed. */

export type AuditEntry = {
  /** ms since 1970. */
  readonly at: number
  /** How whoever asked proved who they are: `token`, `local` (the verbs of the service's own user), `hook`, `user`, `shell`, `anybody`. */
  readonly by: string
  /** The id of the token or of the user; never a secret. Empty: nothing is known. */
  readonly id: string
  readonly who: string
  readonly address: string
  /** What was asked for, in the words of the API's routes: `sync`, `suspend`, `createToken`, …. */
  readonly action: string
  /** The key of the application; empty: it concerns no application, or all of them. */
  readonly app: string
  /** The status of the HTTP answer; 0 where there was none. */
  readonly status: number
  readonly detail: string
  /** How often it happened: refused tries that follow each other closely are one row. */
  readonly count: number
}

export type AuditRow = AuditEntry & { readonly number: number }

export type AuditQuery = {
  readonly since?: number | undefined
  /** The end of the time, ms; that moment is included. */
  readonly until?: number | undefined
  readonly app?: string | undefined
  /** The name or the id of who asked. */
  readonly who?: string | undefined
  /** Only rows before this number, which is where the page before ended. */
  readonly before?: number | undefined
  readonly limit: number
}

export type AuditKept = {
  readonly rows: number
  /** ms */
  readonly age: number
}

export const usualAuditKept: AuditKept = { rows: 100_000, age: 365 * 86_400_000 }

/** As many of the newest rows are never removed, whatever is configured. */
export const auditAlwaysKept = 1_000

export type AuditLog = {
  /** Resolves when the row is on the disk. */
  append(entry: AuditEntry): Promise<void>
  /** Gives the newest rows first. */
  read(query: AuditQuery): Promise<readonly AuditRow[]>
  /** Removes rows that are too old, and the oldest of those that are too many. */
  forgetOld(kept: AuditKept, now: number): Promise<void>
}
