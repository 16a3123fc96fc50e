/** A declaration as others may see it: what looks like a secret by its name, or holds a password, is hidden. */
import { mask } from '#model/secret-shapes.ts'
import { isList, isRecord, type Json } from '#model/json.ts'
import { looksSecret } from '#model/looks-secret.ts'

/** No text of a file: nothing is known of it yet. */
const later = '(known after apply)'

export function shownValue(value: Json, name = ''): Json {
  if (typeof value === 'string') return shownText(value, name)
  if (isList<Json>(value)) return value.map((item) => shownValue(item, name))
  if (!isRecord<Json>(value)) return value
  // variables of Kubernetes and of charts: {name: PASSWORD, value: …}
  const named = typeof value['name'] === 'string' ? value['name'] : ''
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      shownValue(item, key === 'value' ? named : key),
    ]),
  )
}

function shownText(text: string, name: string): Json {
  if (text !== '' && looksSecret(name, text)) return text === later ? text : mask
  const equals = text.indexOf('=')
  const variable = equals > 0 ? text.slice(0, equals) : ''
  const isVariable = /^[A-Za-z_]\w*$/.test(variable)
  if (!isVariable || !looksSecret(variable, text.slice(equals + 1))) return text
  return `${variable}=${mask}`
}
