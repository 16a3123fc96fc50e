/** Who asked for which change, from where, and what the answer was. Rows are added and read, never changed. */

export type AuditEntry = {
  /** ms since 1970. */
  readonly at: number
  /** How they proved who they are: `token`, `local` (the verbs of the service's own user), `hook`, `user`, `shell`, `anybody`. */
  readonly by: string
  /** Of the token or user; never a secret. Empty: nothing is known. */
  readonly id: string
  readonly who: string
  readonly address: string
  /** What was asked for: `sync`, `suspend`, `createToken`, …; as the routes of the API are called. */
  readonly action: string
  /** The key of the application; empty: it concerns none, or all. */
  readonly app: string
  /** Of the HTTP answer; 0 where there was none. */
  readonly status: number
  readonly detail: string
  /** How often it happened: refused tries that follow each other closely are one row. */
  readonly count: number
}

export type AuditRow = AuditEntry & { readonly number: number }

export type AuditQuery = {
  readonly since?: number | undefined
  /** That moment included. */
  readonly until?: number | undefined
  readonly app?: string | undefined
  /** The name or the id. */
  readonly who?: string | undefined
  /** Only rows before this number: where the last page ended. */
  readonly before?: number | undefined
  readonly limit: number
}

export type AuditKept = {
  readonly rows: number
  /** ms */
  readonly age: number
}

export const usualAuditKept: AuditKept = { rows: 100_000, age: 365 * 86_400_000 }

/** So many newest rows are never removed, whatever is configured. */
export const auditAlwaysKept = 1_000

export type AuditLog = {
  /** Durable when it resolves. */
  append(entry: AuditEntry): Promise<void>
  /** Newest first. */
  read(query: AuditQuery): Promise<readonly AuditRow[]>
  /** Removes what is too old or too much. */
  forgetOld(kept: AuditKept, now: number): Promise<void>
}
