/** What operators read. Messages never change; what differs is in the fields. Neither ever holds a header, a body or a query. */
import type { JsonRecord } from '#model/json.ts'

export type Level = 'debug' | 'info' | 'warn' | 'error'

export type Log = (level: Level, message: string, fields: JsonRecord) => void
