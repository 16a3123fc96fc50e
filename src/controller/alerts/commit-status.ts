/** What is said of a commit where it came from: GitHub, GitLab, Gitea. */
import type { CommitStatusDeclared } from '#model/declaration.ts'
import { isUnwell, type AppStatus } from '#model/service.ts'
import { cut } from './alert.ts'
import type { Delivery } from './deliver.ts'

export type Mark = {
  readonly revision: string
  /** `superseded`: another commit was applied in its place. */
  readonly state: 'pending' | 'success' | 'failure' | 'superseded'
  readonly context: string
  readonly description: string
}

/** Undefined: nothing worth saying, or nothing that is a commit. */
export function markOf(status: AppStatus, instance: string): Mark | undefined {
  const revision = status.desired?.revision ?? ''
  const said = words(status)
  if (said === undefined || !/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(revision)) return undefined
  return { revision, context: `${instance}/${status.key}`, ...said }
}

function words(status: AppStatus): Pick<Mark, 'state' | 'description'> | undefined {
  const { state, reason, health } = status
  if (state === 'syncing') return { state: 'pending', description: 'being synced' }
  if (state === 'synced') {
    if (isUnwell(status)) return { state: 'failure', description: health.reason }
    // what has just started is not well yet: the next word follows
    return health.state === 'progressing'
      ? { state: 'pending', description: `synced; ${health.reason}` }
      : { state: 'success', description: 'synced' }
  }
  return state === 'failed'
    ? { state: 'failure', description: reason === '' ? 'failed' : reason }
    : undefined
}

/** `https://example.org/shop/web.git` and `git@example.org:shop/web` are `shop/web`. */
export function isOf({ repository }: CommitStatusDeclared, shown: string): boolean {
  const address = shown
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .toLowerCase()
  const name = repository.toLowerCase()
  return address.endsWith(`/${name}`) || address.endsWith(`:${name}`)
}

export function markDelivery(
  { kind, api, repository }: CommitStatusDeclared,
  token: string,
  mark: Mark,
): Delivery {
  const { revision, state, context } = mark
  const description = cut(mark.description.replaceAll(/\s+/g, ' '), 140)
  const json = { 'Content-Type': 'application/json' }
  if (kind === 'gitlab') {
    const states = {
      pending: 'running',
      success: 'success',
      failure: 'failed',
      superseded: 'canceled',
    } as const
    return {
      url: `${api}/projects/${encodeURIComponent(repository)}/statuses/${revision}`,
      headers: { ...json, 'PRIVATE-TOKEN': token },
      body: JSON.stringify({ state: states[state], name: context, description }),
    }
  }
  const headers =
    kind === 'gitea'
      ? { ...json, Authorization: `token ${token}` }
      : {
          ...json,
          Accept: 'application/vnd.github+json',
          Authorization: `Bearer ${token}`,
          'X-GitHub-Api-Version': '2022-11-28',
        }
  return {
    url: `${api}/repos/${repository}/statuses/${revision}`,
    headers,
    body: JSON.stringify({
      state: state === 'superseded' ? 'error' : state,
      context,
      description,
    }),
  }
}
