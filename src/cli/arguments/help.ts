/** Help, made from the tables of verbs and flags. */
import { flagOf, type Flag } from './flags.ts'
import { verbOf, verbs, type VerbName } from './verbs.ts'

export function generalHelp(): readonly string[] {
  const width = widest(verbs.map(({ name }) => name))
  return [
    'Tend keeps running things as they were declared: charts on Podman.',
    '',
    'Usage: tend VERB [ARGUMENTS] [FLAGS]',
    '',
    ...verbs.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'First steps:',
    '  tend install ./my-app      make what ./my-app declares',
    '  tend plan ./my-app         what would change',
    '  tend status my-app         how it is',
    '',
    'Where things are: TEND_HOME (history, keys); --target, CONTAINER_HOST or PODMAN_SOCK (Podman).',
    'tend VERB --help tells more of each verb.',
  ]
}

export function verbHelp(name: VerbName): readonly string[] {
  const verb = verbOf(name)!
  const flags = verb.flags.map(flagOf)
  const left = flags.map(written)
  const width = widest(left)
  return [
    `Usage: tend ${verb.name}${verb.takes === '' ? '' : ` ${verb.takes}`} [FLAGS]`,
    '',
    `${verb.summary.slice(0, 1).toUpperCase()}${verb.summary.slice(1)}.`,
    ...(verb.notes ?? []),
    '',
    ...flags.map((flag, index) => `  ${left[index]!.padEnd(width)}  ${flag.help}`),
  ]
}

/** "-o, --output FORMAT" */
function written({ name, short, takes, isRepeatable }: Flag): string {
  const brief = short === undefined ? '    ' : `-${short}, `
  const value = takes === undefined ? '' : ` ${takes}${isRepeatable === true ? ' ...' : ''}`
  return `${brief}--${name}${value}`
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, text.length), 0)
}
