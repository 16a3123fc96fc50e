/** Rendered manifests as they may be shown: the values of secrets, and of variables that look secret, masked. */
import type { YamlDocument, YamlRead } from '#formats/yaml/read-yaml.ts'
import type { YamlPath } from '#formats/yaml/find-node.ts'
import { isList, isRecord } from '#model/json.ts'
import { looksSecret } from '#model/looks-secret.ts'

/** In quotes, because a bare * would be an alias. */
const mask = '"******"'

/** Everything else stays as it was rendered. A text with errors is not shown: what is secret in it can't be told. */
export function maskedText(text: string, { documents, errors }: YamlRead): string {
  if (errors.length > 0) return '# not shown: the text is not valid YAML\n'
  const ranges = documents.flatMap((document) =>
    secretPaths(document).flatMap((path) => document.rangesOf(path)),
  )
  let shown = text
  let limit = Infinity
  for (const { start, end } of ranges.toSorted((one, other) => other.start - one.start)) {
    if (end > limit) continue
    const replaced = text.slice(start, end)
    const tail = replaced.endsWith('\n') ? '\n' : ''
    shown = shown.slice(0, start) + mask + tail + shown.slice(end)
    limit = start
  }
  return withoutWords(shown, documents)
}

/** A secret that was also printed into a comment or another field is still a secret. Short words would take too much along. */
function withoutWords(text: string, documents: readonly YamlDocument[]): string {
  const words = documents.flatMap((document) =>
    secretPaths(document).flatMap((path) => wordsAt(document.value, path)),
  )
  return words.reduce((shown, word) => shown.replaceAll(word, '******'), text)
}

const shortest = 6

function wordsAt(value: unknown, path: YamlPath): readonly string[] {
  let found: unknown = value
  for (const step of path) {
    if (isList(found) && typeof step === 'number') found = found[step]
    else if (isRecord(found)) found = found[String(step)]
    else return []
  }
  return typeof found === 'string' && found.length >= shortest ? [found] : []
}

/** Whatever the kind says: a document of a misspelt kind holds the same secrets. */
function secretPaths(document: YamlDocument): readonly YamlPath[] {
  const { value } = document
  if (!isRecord(value)) return []
  const { spec } = value
  const below = isRecord(spec) ? [...dataPaths(spec), ...envPaths(spec)] : []
  return [...dataPaths(value), ...below.map((path) => ['spec', ...path])]
}

function dataPaths(holder: { readonly [key: string]: unknown }): readonly YamlPath[] {
  return ['data', 'stringData'].flatMap((field) => {
    const data = holder[field]
    if (isRecord(data)) return Object.keys(data).map((key) => [field, key])
    return data === undefined || data === null ? [] : [[field]]
  })
}

function envPaths(spec: { readonly [key: string]: unknown }): readonly YamlPath[] {
  const { env } = spec
  if (!isList(env)) return []
  return env.flatMap((entry, index) => {
    if (!isRecord(entry) || entry['value'] === undefined) return []
    const { name, value } = entry
    const text = typeof value === 'string' ? value : ''
    const isSecret = typeof name !== 'string' || looksSecret(name, text)
    return isSecret ? [['env', index, 'value']] : []
  })
}
