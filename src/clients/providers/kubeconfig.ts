/** The little of a kubeconfig that a probe needs: where its cluster is and whom to believe there. */
import { parse } from 'yaml'
import { recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import { Problem } from '#model/problem.ts'
import type { JsonRecord } from '#model/json.ts'

export type Contact = {
  readonly server: URL
  /** PEM; undefined: the system's authorities. */
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
}

export function contactIn(text: string, name: string): Contact {
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
