/** What was pushed, from the bodies of the forges: addresses, ref, revision and who pushed, and nothing else of them is read. */
import { escapeControls } from '#model/control-characters.ts'
import type { Pushed } from '#model/service.ts'
import * as z from 'zod/mini'

const text = z.optional(z.nullable(z.string()))
const link = z.optional(z.nullable(z.object({ href: text, name: text })))

const repository = z.optional(
  z.nullable(
    z.object({
      clone_url: text,
      ssh_url: text,
      git_url: text,
      html_url: text,
      git_http_url: text,
      git_ssh_url: text,
      homepage: text,
      links: z.optional(
        z.nullable(z.object({ html: link, clone: z.optional(z.nullable(z.array(link))) })),
      ),
    }),
  ),
)

/** GitHub and Gitea name `pusher`, Bitbucket `actor`, GitLab fields of the body itself. */
const person = z.optional(
  z.nullable(z.object({ login: text, username: text, name: text, nickname: text })),
)

const branch = z.optional(
  z.nullable(
    z.object({ type: text, name: text, target: z.optional(z.nullable(z.object({ hash: text }))) }),
  ),
)

const body = z.object({
  ref: text,
  after: text,
  revision: text,
  url: text,
  repository,
  project: repository,
  pusher: person,
  actor: person,
  user_username: text,
  user_name: text,
  push: z.optional(
    z.nullable(z.object({ changes: z.optional(z.nullable(z.array(z.object({ new: branch })))) })),
  ),
  changes: z.optional(z.nullable(z.array(z.object({ refId: text, toHash: text })))),
})
type Body = z.output<typeof body>

/** Undefined: not a body that we know, so it may mean anything. Empty: nothing is there any more (a deleted branch). */
export function pushesIn(bytes: Buffer, type: string): readonly Pushed[] | undefined {
  const read = z.safeParse(body, parsed(bytes, type))
  if (!read.success) return undefined
  const urls = urlsIn(read.data)
  const tips = tipsIn(read.data)
  const by = pusherIn(read.data)
  return tips
    .filter(({ revision }) => revision === undefined || !/^0+$/.test(revision))
    .map((tip) => ({ urls, ...tip, by }))
}

function parsed(bytes: Buffer, type: string): unknown {
  const words = bytes.toString('utf8')
  try {
    if (!type.startsWith('application/x-www-form-urlencoded')) return JSON.parse(words)
    return JSON.parse(new URLSearchParams(words).get('payload') ?? '')
  } catch {
    // what is no JSON names no repository
    return undefined
  }
}

function urlsIn({ repository: named, project, url }: Body): readonly string[] {
  const found: (string | null | undefined)[] = [url]
  for (const one of [named, project]) {
    if (one === undefined || one === null) continue
    found.push(one.clone_url, one.ssh_url, one.git_url, one.git_http_url, one.git_ssh_url)
    found.push(one.html_url, one.homepage, one.links?.html?.href)
    for (const clone of one.links?.clone ?? []) found.push(clone?.href)
  }
  return [...new Set(found.filter((each) => typeof each === 'string' && each !== ''))].map(String)
}

/** In short: it is shown with the run, and a name may be as long as a body. */
function pusherIn({ pusher, actor, user_username: login, user_name: name }: Body) {
  const one = pusher ?? actor
  const named = [one?.login, one?.username, one?.nickname, one?.name, login, name]
  const found = named.find((each) => typeof each === 'string' && each !== '')
  return found ? escapeControls(found.slice(0, 100)) : undefined
}

type Tip = Pick<Pushed, 'ref' | 'revision'>

function tipsIn({ ref, after, revision, push, changes }: Body): readonly Tip[] {
  if (push?.changes) {
    return push.changes.flatMap(({ new: made }) => (made?.name ? [tipOf(made)] : []))
  }
  if (changes) {
    return changes.map(({ refId, toHash }) => tip(refId, toHash))
  }
  return [tip(ref, after ?? revision)]
}

function tipOf(made: NonNullable<z.output<typeof branch>>): Tip {
  const folder = made.type === 'tag' ? 'tags' : 'heads'
  return tip(`refs/${folder}/${made.name ?? ''}`, made.target?.hash)
}

function tip(ref: string | null | undefined, revision: string | null | undefined): Tip {
  return { ref: ref || undefined, revision: revision || undefined }
}
