/** Variables that a Compose file wants and nobody gave, though the shell has them: the one thing that a user of docker compose stumbles over. */

const why = 'it is set in your environment, but Tend reads only .env and --env-file'
const unset = /The "([^"]+)" variable is not set\. Defaulting to a blank string\./

export function withAdvice(
  warnings: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return warnings.map((text) => {
    const name = unset.exec(text)?.[1]
    if (name === undefined || environment[name] === undefined) return text
    return text.replace(unset, `the variable ${name} is blank: ${why}; add --use-env`)
  })
}

/** Variables that nobody misses, because a default replaces them, or because empty is what they mean then. */
export function passedOver(
  missing: readonly string[],
  warnings: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const told = new Set(warnings.map((text) => unset.exec(text)?.[1]))
  return missing
    .filter((name) => environment[name] !== undefined && !told.has(name))
    .map((name) => `the variable ${name} is not used: ${why}; add --use-env`)
}
