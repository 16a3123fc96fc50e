/** A row of a fleet's table as texts of a form, and back. */
import type { Json } from '#model/json.ts'

/** What a table without rows is asked for. */
export const usualColumns = ['http_port', 'https_port', 'pf_port', 'node_port'] as const

/** What reaches the host is set there, and only shown here. */
export const setOnHost: readonly string[] = ['config', 'api_address']

type Row = Readonly<Record<string, Json>>
type Texts = Readonly<Record<string, string>>

export function textsOf(row: Row): Texts {
  const texts: Record<string, string> = {}
  for (const [column, value] of Object.entries(row)) {
    if (value !== null) texts[column] = typeof value === 'string' ? value : JSON.stringify(value)
  }
  return texts
}

/** Only what was changed is sent: what is left out stays as it is, and an empty field takes back what was set. */
export function rowFrom(texts: Texts, before: Row = {}): Row {
  const old = textsOf(before)
  const row: Record<string, Json> = {}
  for (const [column, text] of Object.entries(texts)) {
    if (column === 'name' || text === (old[column] ?? '')) continue
    row[column] = text === '' ? null : valueOf(text, before[column])
  }
  return row
}

/** Texts stay texts: a version like 1.30 is no number. Whole numbers, yes or no, and maps are what they are. */
function valueOf(text: string, before: Json | undefined): Json {
  const isPlain = /^(\d{1,15}|true|false)$/.test(text)
  if (typeof before === 'string' || !(isPlain || text.startsWith('{'))) return text
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    // no JSON: whoever keeps the rows says what is wrong with it
    return text
  }
}
