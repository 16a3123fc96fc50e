/** The variables of the environment that have a value. */
export function variablesOf(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined) found[name] = value
  }
  return found
}
