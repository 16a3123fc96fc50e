/** Writes the flags of a command once more, for a line that a person copies. */
import { looksSecret } from '#model/looks-secret.ts'
import type { Flags, LayerFlag } from '../arguments/invocation.ts'

/** Values that look secret are not repeated: only their flag is named. */
export function flagWords(flags: Flags): string {
  const { namespace, layers, resetsValues, allowEnv, target } = flags
  const words = [
    ...(namespace === null ? [] : [`-n ${namespace}`]),
    ...layers.map(layerWords),
    ...(resetsValues ? ['--reset-values'] : []),
    ...allowEnv.map((name) => `--allow-env ${quoted(name)}`),
    ...(flags.pruneVolumes ? ['--prune-volumes'] : []),
    ...(flags.recreateVolumes ? ['--recreate-volumes'] : []),
    ...(flags.allowEmpty ? ['--allow-empty'] : []),
    ...(flags.allowMassDelete ? ['--allow-mass-delete'] : []),
    ...(target === undefined ? [] : [`--target ${quoted(target)}`]),
  ]
  return words.map((word) => ` ${word}`).join('')
}

const layerFlags = {
  file: '-f',
  set: '--set',
  'set-string': '--set-string',
  'set-json': '--set-json',
  'set-literal': '--set-literal',
  'set-file': '--set-file',
} as const

function layerWords({ kind, text }: LayerFlag): string {
  const flag = layerFlags[kind]
  const isSecret =
    kind !== 'file' &&
    kind !== 'set-file' &&
    text.split(',').some((part) => {
      const at = part.indexOf('=')
      return looksSecret(part.slice(0, Math.max(at, 0)), part.slice(at + 1))
    })
  return `${flag} ${isSecret ? `${quoted(text.slice(0, text.indexOf('=')))}=…` : quoted(text)}`
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
