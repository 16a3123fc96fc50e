/** What of a chart's values is secret, and wherever templates put it, it stays so. */
import { textPrefix, withTextsSealed, type TextPlaces } from '#domains/containers/sealed-text.ts'
import { isList, isRecord } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import {
  hasSecretShape,
  holdsSecret,
  withoutSecretShapes,
  withoutSecrets,
} from '#model/secret-shapes.ts'
import { isSecretVariable, type SecretLists } from '#model/secret-variables.ts'
import type { Sealed } from '#model/value.ts'

export type ChartSecrets = {
  isIn(text: string): boolean
  isVariable(name: string, value: string, isFromFile: boolean): boolean
  /** A message without any of them. */
  without(text: string): string
}

/** Words that stand in too many texts to be taken out of them. */
const plainSetting = /^(?:true|false|yes|no|on|off|\d{1,3})$/i

/** Shorter values of secrets stand by chance in too many texts. */
const shortest = 6

/** `encrypted`: texts that came out of an encrypted file. `contents`: what the chart's own secrets hold. */
export function chartSecrets(
  values: { readonly [key: string]: unknown },
  lists: SecretLists,
  encrypted: readonly string[] = [],
  contents: Iterable<Uint8Array> = [],
): ChartSecrets {
  const secrets = new Set(encrypted.filter((text) => text.length > 3 && !plainSetting.test(text)))
  collect(values, '', false)
  for (const content of contents) {
    const text = content.length > 100_000 ? '' : Buffer.from(content).toString('utf8').trim()
    if (text.length >= shortest) secrets.add(text)
  }
  return {
    isIn: (text) => holdsSecret(text, secrets) || hasSecretShape(text),
    isVariable: (name, value, isFromFile) =>
      isSecretVariable(lists, name, value, isFromFile) || holdsSecret(value, secrets),
    without: (text) => withoutSecretShapes(withoutSecrets(text, secrets)),
  }

  /** A map that is called `secrets` or `credentials` holds nothing else. */
  function collect(value: unknown, name: string, isBelow: boolean): void {
    if (isList(value)) {
      for (const item of value) collect(item, name, isBelow)
    } else if (isRecord(value)) {
      const isMarked = isBelow || /^(?:secrets|credentials|passwords|tokens)$/i.test(name)
      for (const [key, item] of Object.entries(value)) collect(item, key, isMarked)
    } else if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value)
      if (text !== '' && (isBelow || isSecretVariable(lists, name, text))) secrets.add(text)
    }
  }
}

const places: Readonly<Record<string, TextPlaces>> = {
  container: [
    ['args'],
    ['command'],
    ['env'],
    ['extraHosts'],
    ['health', 'test'],
    ['hostname'],
    ['labels'],
    ['logging', 'options'],
    ['sysctl'],
    ['workingDir'],
  ],
  network: [['labels']],
  pod: [['hostname'], ['labels']],
  secret: [['labels']],
  volume: [['labels'], ['from', 'options']],
}

export function withTextsOfSecretsSealed(
  resource: Resource,
  secrets: ChartSecrets,
  seal: (id: string, content: string) => Sealed,
): Resource {
  const { ref } = resource
  const spec = withTextsSealed(
    resource.spec,
    places[kindOf(ref)] ?? [],
    (text) => secrets.isIn(text),
    (place, text) => seal(`${textPrefix}${ref}.${place}`, text),
  )
  return { ...resource, spec }
}

export function problemsWithout(
  secrets: ChartSecrets,
  problems: readonly ProblemFacts[],
): readonly ProblemFacts[] {
  return problems.map((problem) => {
    const { message, suggestion, details } = problem
    return {
      ...problem,
      message: secrets.without(message),
      ...(suggestion === undefined ? {} : { suggestion: secrets.without(suggestion) }),
      ...(details === undefined ? {} : { details: details.map((line) => secrets.without(line)) }),
    }
  })
}
