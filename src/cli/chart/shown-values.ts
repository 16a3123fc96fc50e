/** The values that templates saw, for `--debug`: as YAML, without those whose names look secret. */
import { isList, isRecord } from '#model/json.ts'
import { looksSecret } from '#model/looks-secret.ts'

export async function valueLines(values: unknown): Promise<readonly string[]> {
  const { stringify } = await import('yaml')
  return ['# Values that templates saw:', ...stringify(masked(values)).trimEnd().split('\n')]
}

function masked(value: unknown): unknown {
  if (isList(value)) return value.map(masked)
  if (!isRecord<unknown>(value))
    return typeof value === 'string' && looksSecret('', value) ? '******' : value
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [
      key,
      looksSecret(key, '') && !isRecord(held) && !isList(held) && held !== '' && held !== null
        ? '******'
        : masked(held),
    ]),
  )
}
