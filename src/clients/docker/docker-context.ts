/** Docker's contexts: the file that `docker context use` writes names the engine, and its certificates lie beside it. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { recordOf, textOf } from '#model/read-json.ts'
import { Problem } from '#model/problem.ts'
import type { EngineAddress } from '#model/engine-address.ts'
import { checkedAddress } from './engine-address.ts'

export type ContextFiles = {
  /** The folder of Docker's settings: `~/.docker`, or what DOCKER_CONFIG names. */
  readonly folder: string
  /** Undefined when there is no such file. */
  read(path: string): string | undefined
  exists(path: string): boolean
}

/** Undefined for the default context, which means no context at all. */
export function currentContext(files: ContextFiles): string | undefined {
  const text = files.read(join(files.folder, 'config.json'))
  if (text === undefined) return undefined
  const name = textOf(parsed(text)['currentContext'])
  return name === '' || name === 'default' ? undefined : name
}

export function engineOfContext(files: ContextFiles, name: string): EngineAddress {
  const folder = createHash('sha256').update(name).digest('hex')
  const file = join(files.folder, 'contexts', 'meta', folder, 'meta.json')
  const text = files.read(file)
  const endpoint = recordOf(recordOf(parsed(text ?? '')['Endpoints'])['docker'])
  const host = textOf(endpoint['Host'])
  if (host === '') throw unusable(name, file, text === undefined)
  const address = checkedAddress(host, `context ${name}`)
  const pems = join(files.folder, 'contexts', 'tls', folder, 'docker')
  const found = ['ca', 'cert', 'key']
    .map((part) => [part, join(pems, `${part}.pem`)] as const)
    .filter(([, path]) => files.exists(path))
  const isVerified = endpoint['SkipTLSVerify'] !== true
  if (found.length === 0 && isVerified) return { address }
  return { address, tls: { ...Object.fromEntries(found), isVerified } }
}

function unusable(name: string, file: string, isMissing: boolean): Problem {
  return new Problem({
    type: 'configuration',
    code: 'unreachable',
    message: isMissing
      ? `Docker's context ${name} is not there: no ${file}`
      : `Docker's context ${name} names no engine: ${file}`,
    suggestion:
      'see docker context ls, choose one with docker context use NAME, or name the engine with --target',
  })
}

function parsed(text: string): ReturnType<typeof recordOf> {
  try {
    return recordOf(JSON.parse(text))
  } catch {
    // a harmed file names no context, and the caller says so
    return {}
  }
}
