/** What a container gets of secrets: a variable for each key, or files. */
import type { Need } from '#model/resource.ts'
import type { Later, Sealed } from '#model/value.ts'
import type { ChartContext } from './chart-context.ts'
import { trimmed, type Claim } from './container-mounts.ts'
import type { Declaration } from './declaration.ts'
import { findDeclared } from './references.ts'
import { bad } from '#formats/schema/rule.ts'
import { keysOf } from './secret-spec.ts'
import type { SecretFileSpec } from '../spec.ts'

type SecretUses = {
  readonly secretEnv: Readonly<Record<string, Later>>
  readonly secretFiles: readonly SecretFileSpec[]
  readonly needs: readonly Need[]
}

/** A container is renewed with its secrets: files are copied into it when it is made. */
export function containerSecrets(
  container: Declaration<'container'>,
  context: ChartContext,
  env: Readonly<Record<string, string | Sealed>>,
  claim: Claim,
): SecretUses {
  const variables = new Map<string, Later>()
  const secretFiles: SecretFileSpec[] = []
  const needs: Need[] = []
  for (const [index, use] of (container.data.secrets ?? []).entries()) {
    const secret = findDeclared(context, container, ['secrets', index, 'name'], 'secret', use.name)
    if (secret === undefined) continue
    needs.push({ ref: secret.ref, until: 'exists', renew: true })
    const keys = keysOf(secret)
    if (use.env === true) {
      for (const key of keys) {
        const fault = variableFault(key, use.name, Object.hasOwn(env, key) || variables.has(key))
        if (fault !== undefined) container.report(['secrets', index, 'env'], fault)
        variables.set(key, { from: secret.ref, output: key })
      }
    }
    if (use.env === true && use.path === undefined) continue
    const place = trimmed(use.path ?? `/run/secrets/${use.name}`)
    for (const key of keys) {
      const target = keys.length === 1 ? place : `${place}/${key}`
      const at = use.path === undefined ? 'name' : 'path'
      claim(target, ['secrets', index, at], `the secret ${use.name}`)
      secretFiles.push({ object: { from: secret.ref, output: key }, target })
    }
  }
  return { secretEnv: Object.fromEntries(variables), secretFiles, needs }
}

function variableFault(key: string, secret: string, isTaken: boolean) {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) {
    return bad(
      `the key ${JSON.stringify(key)} of ${secret} is not a variable's name`,
      'mount it with path instead, or rename the key',
    )
  }
  return isTaken
    ? bad(`${key} of ${secret} is set already`, 'rename the key or the variable')
    : undefined
}
