/** The values of the flags for Compose stacks. */
import type { FlagName } from './flags.ts'
import type { ConfigFlags, Flags } from './invocation.ts'
import { usageProblem } from './usage.ts'

export type Reading = {
  readonly texts: (name: FlagName) => readonly string[]
  readonly text: (name: FlagName) => string | undefined
  readonly isOn: (name: FlagName, otherwise?: boolean) => boolean
}

export function composeFlagsOf({
  texts,
  text,
  isOn,
}: Reading): Pick<Flags, 'project' | 'stack' | 'config'> {
  return {
    project: {
      files: texts('file'),
      name: text('project-name'),
      directory: text('project-directory'),
      envFiles: texts('env-file'),
      profiles: texts('profile'),
      composeVersion: versionOf(text('compose-version')),
    },
    stack: {
      usesEnvironment: isOn('use-env'),
      allowsOutside: isOn('allow-outside'),
      adopts: isOn('adopt'),
      scale: Object.fromEntries(texts('scale').map(scaleOf)),
      pull: pullOf(text('pull')),
      builds: isOn('build'),
    },
    config: {
      format: configFormat(text('format')),
      hashes: isOn('hash'),
      services: isOn('services'),
      isQuiet: isOn('quiet'),
      interpolates: !isOn('no-interpolate'),
      normalizes: !isOn('no-normalize'),
      checks: !isOn('no-consistency'),
      resolvesPaths: !isOn('no-path-resolution'),
    },
  }
}

/** A major version alone is enough: labels then name the release that its behaviour was tested against. */
function versionOf(text: string | undefined): string | undefined {
  const known = { '2': '2.40.3', '5': '5.5.1' }
  const short = Object.entries(known).find(([major]) => major === text)?.[1]
  if (text === undefined || short !== undefined) return short
  if (/^(2|[5-9]|\d{2,})\.\d+\.\d+$/.test(text)) return text
  throw usageProblem(
    `--compose-version ${JSON.stringify(text)} is not known`,
    'write 5, 2 or a whole version such as 5.5.1',
  )
}

function scaleOf(text: string): readonly [string, number] {
  const [, service, count] = /^([^=]+)=(\d{1,4})$/.exec(text) ?? []
  if (service !== undefined) return [service, Number(count)]
  throw usageProblem(`--scale ${text} says no number of a service`, 'write it like --scale web=3')
}

function pullOf(text: string | undefined): string | undefined {
  if (text === undefined || /^(always|missing|never)$/.test(text)) return text
  throw usageProblem(
    `--pull ${JSON.stringify(text)} is not known`,
    'write always, missing or never',
  )
}

function configFormat(text: string | undefined): ConfigFlags['format'] {
  if (text === 'table') return undefined
  if (text === undefined || text === 'json' || text === 'yaml') return text
  throw usageProblem(`unknown format ${JSON.stringify(text)}`, 'use yaml or json')
}
