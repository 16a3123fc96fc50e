/** Which variables of an application are secret: the operator's lists first, then where they come from, then how they look. */
import { isListed, looksSecret } from './looks-secret.ts'
import { hasSecretShape } from './secret-shapes.ts'

export type SecretLists = {
  /** Names that the operator calls harmless; `*` stands for anything. */
  readonly harmlessVariables?: readonly string[]
  /** Names that the operator calls secret. */
  readonly secretVariables?: readonly string[]
}

/** `isFromFile`: it comes from a file of variables, which is where people keep secrets under any name. */
export function isSecretVariable(
  lists: SecretLists,
  name: string,
  value: string,
  isFromFile = false,
): boolean {
  if (isListed(name, lists.secretVariables)) return true
  if (isListed(name, lists.harmlessVariables)) return hasSecretShape(value)
  return isFromFile || looksSecret(name, value)
}
