/** Gives the layers of a build to one application alone: an engine takes layers again wherever instructions are the same. */
import { certainFroms, instructionsIn } from './instructions.ts'

/** Nobody else knows the key, so that no file can say the line of another; images have an empty one in the end. */
export const cacheLabel = 'tend/cache'

/**
 * The same Dockerfile with a line after each FROM that only this application has: all layers of each stage lie on it. Undefined where
 * engines may differ in what they take for a FROM: such a build takes no layer that is there already.
 */
export function keyedDockerfile(text: string, key: string): string | undefined {
  const certain = certainFroms(text)
  const froms = (instructionsIn(text) ?? []).filter(({ keyword }) => keyword === 'FROM')
  if (froms.length === 0 || froms.some(({ line }) => !certain.has(line))) return undefined
  return text
    .split('\n')
    .flatMap((line, index) =>
      certain.has(index + 1) ? [line, `LABEL ${cacheLabel}=${key}`] : [line],
    )
    .join('\n')
}
