/** What differs from forge to forge in the headers of a webhook. */
import type { IncomingHttpHeaders } from 'node:http'
import type { HookDeclared } from '#model/declaration.ts'

export type Kind = HookDeclared['kind']

export const kinds = ['github', 'gitlab', 'gitea', 'bitbucket', 'generic'] as const

type Forge = {
  /** Where the proof is; the first header that is there counts. */
  readonly proof: readonly string[]
  readonly event: readonly string[]
  readonly delivery: readonly string[]
  /** Events that mean that something was pushed; empty: any. */
  readonly pushes: readonly string[]
}

export const forges: Readonly<Record<Kind, Forge>> = {
  github: {
    proof: ['x-hub-signature-256'],
    event: ['x-github-event'],
    delivery: ['x-github-delivery'],
    pushes: ['push'],
  },
  gitlab: {
    proof: ['x-gitlab-token'],
    event: ['x-gitlab-event'],
    delivery: ['idempotency-key', 'x-gitlab-event-uuid'],
    pushes: ['Push Hook', 'Tag Push Hook'],
  },
  gitea: {
    proof: ['x-forgejo-signature', 'x-gitea-signature', 'x-hub-signature-256'],
    event: ['x-forgejo-event', 'x-gitea-event'],
    delivery: ['x-forgejo-delivery', 'x-gitea-delivery'],
    pushes: ['push'],
  },
  bitbucket: {
    proof: ['x-hub-signature'],
    event: ['x-event-key'],
    delivery: ['x-request-uuid', 'x-request-id'],
    pushes: ['repo:push', 'repo:refs_changed'],
  },
  generic: {
    proof: ['x-tend-signature', 'x-hub-signature-256'],
    event: [],
    delivery: ['x-tend-delivery'],
    pushes: [],
  },
}

/** Who sent it, by the header that names the event. Forgejo and Gitea send GitHub's headers too. */
export function kindOf(headers: IncomingHttpHeaders): Kind {
  const order = ['gitea', 'gitlab', 'bitbucket', 'github'] as const
  return order.find((kind) => header(headers, forges[kind].event) !== undefined) ?? 'generic'
}

export function header(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
