/** Options of confinement. A profile that is a file goes along as its content: engines take nothing else. */
import { resolve } from 'node:path/posix'
import type { Service } from '#formats/compose/schema/file.ts'
import { isBelow } from '#model/policy.ts'
import type { Stage } from './stage.ts'
import type { Finding } from './finding.ts'

type Option = { readonly text: string } | { readonly fault: string }

export function securityOptionsOf(stage: Stage, service: Service): readonly string[] {
  return optionsOf(stage, service).flatMap((option) => ('text' in option ? option.text : []))
}

export function securityFindings(stage: Stage, name: string, service: Service): readonly Finding[] {
  return optionsOf(stage, service).flatMap((option) => {
    if ('text' in option) return []
    const path = ['services', name, 'security_opt']
    const suggestion = 'name a profile of the project'
    return [{ path, isError: true, code: 'compose_error', message: option.fault, suggestion }]
  })
}

function optionsOf(stage: Stage, service: Service): readonly Option[] {
  return (service.security_opt ?? []).map((text) => {
    const [, named = ''] = /^seccomp[=:](.*)$/s.exec(text) ?? []
    const isWord = ['', 'unconfined', 'builtin'].includes(named)
    return isWord || named.startsWith('{') ? { text } : profileIn(stage, named)
  })
}

function profileIn({ input, loaded, root }: Stage, named: string): Option {
  const path = resolve(loaded.workingDirectory, named)
  const isOutside = input.load.confinedTo !== undefined && !isBelow(path, root)
  if (isOutside) return { fault: `the seccomp profile ${named} is outside ${root}` }
  const content = input.load.files.read(path)
  if (content === undefined) return { fault: `the seccomp profile ${named} does not exist` }
  try {
    const profile: unknown = JSON.parse(Buffer.from(content).toString('utf8'))
    return { text: `seccomp=${JSON.stringify(profile)}` }
  } catch {
    return { fault: `the seccomp profile ${named} is no JSON` }
  }
}
