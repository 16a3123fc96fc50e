/** The little of a kubeconfig that a probe needs: where its cluster is and whom to believe there. */
import { parse } from 'yaml'
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import { Problem } from '#model/problem.ts'
import type { JsonRecord } from '#model/json.ts'
import { defined } from '#model/defined.ts'

export type Contact = {
  readonly server: URL
  /** PEM; undefined: the system's authorities. */
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly token: string | undefined
}

export function contactIn(text: string, name: string): Contact {
  return plainContact(text) ?? parsedContact(text, name)
}

const fields = {
  server: 'server',
  ca: 'certificate-authority-data',
  cert: 'client-certificate-data',
  key: 'client-key-data',
  token: 'token',
} as const

/** A line with a field that has a word, nothing or an empty map as its value. */
const plainLine = /^[ -]*[\w.-]+:( [\w+/=:.@-]+| \{\})?$/

/** Reads what kind, k3d and kwok write for one cluster: each field once, on a line of its own. A YAML parser takes a while for fifty of them. */
function plainContact(text: string): Contact | undefined {
  const lines = text.split('\n').filter((line) => line !== '' && line !== '---')
  if (!lines.every((line) => plainLine.test(line))) return undefined
  function found(field: keyof typeof fields): readonly string[] {
    const words = lines.map((line) => line.replace(/^[ -]+/, '').split(': '))
    return words.flatMap(([key, value]) => (key === fields[field] ? [value ?? ''] : []))
  }
  const [servers, cas, certs, keys] = [found('server'), found('ca'), found('cert'), found('key')]
  const tokens = found('token')
  const server = servers.length === 1 ? URL.parse(defined(servers[0])) : null
  const isOne = [cas, certs, keys, tokens].every((values) => values.length <= 1)
  if (server === null || !isOne) return undefined
  const token = tokens[0] || undefined
  return { server, ca: pemIn(cas[0]), cert: pemIn(certs[0]), key: pemIn(keys[0]), token }
}

function parsedContact(text: string, name: string): Contact {
  const config = recordOf(parsed(text, name))
  const current = textOf(config['current-context'])
  const context = recordOf(named(config['contexts'], current)['context'])
  const cluster = recordOf(named(config['clusters'], textOf(context['cluster']))['cluster'])
  const user = recordOf(named(config['users'], textOf(context['user']))['user'])
  const server = URL.parse(textOf(cluster['server']))
  if (server === null) throw unusable(name, 'it names no server')
  return {
    server,
    ca: pemIn(cluster['certificate-authority-data']),
    cert: pemIn(user['client-certificate-data']),
    key: pemIn(user['client-key-data']),
    token: textOf(user['token']) || undefined,
  }
}

function parsed(text: string, name: string): unknown {
  try {
    return parse(text)
  } catch {
    throw unusable(name, 'it is no YAML')
  }
}

function named(list: unknown, name: string): JsonRecord {
  const items = recordsOf(list)
  return items.find((item) => item['name'] === name) ?? items[0] ?? {}
}

function pemIn(value: unknown): string | undefined {
  const text = textOf(value)
  return text === '' ? undefined : Buffer.from(text, 'base64').toString()
}

function unusable(name: string, why: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'api_error',
    message: `the kubeconfig of ${name} can't be used: ${why}`,
  })
}
