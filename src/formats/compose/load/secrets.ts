/** Values that no message may quote. */
import { mask, withoutQuotes } from '../compose-error.ts'
import type { SourceLocation } from '../yaml/source.ts'

type IsSecret = (name: string, value: string) => boolean

/** Shorter ones stand by chance inside other words. */
const shortest = 4

/** A variable is as secret as what its value was made of: `URL=http://$PASSWORD@host` is one too. */
export function secretsOf(isSecret: IsSecret, environment: ReadonlyMap<string, string>): IsSecret {
  const entries = [...environment].filter(([name, value]) => isSecret(name, value))
  const values = entries.map(([, value]) => value).filter((value) => value.length > shortest)
  return (name, value) =>
    isSecret(name, value) || values.some((secret) => value !== secret && value.includes(secret))
}

/** The longest first: one may be a part of another. */
export function withoutSecrets(text: string, secrets: ReadonlySet<string>): string {
  let shown = text
  for (const secret of [...secrets].toSorted((one, other) => other.length - one.length)) {
    if (secret.length >= shortest) shown = shown.replaceAll(secret, mask)
  }
  return shown
}

/** What is said of a value, without the value if a secret was put into it. */
export function wordedAt(
  place: SourceLocation | undefined,
  message: string,
  { secrets }: { readonly secrets: ReadonlySet<string> },
): string {
  const told = withoutSecrets(message, secrets)
  return place?.isSecret === true ? withoutQuotes(told) : told
}
