/** What `tend serve` says first: where it listens, what it looks after, and who may talk to it. */
import { wordsOfSource } from '#model/source-place.ts'
import { allKinds } from '#kinds/all.ts'
import type { Declarations } from '#model/declaration.ts'
import { count } from '../views/labels.ts'

type Beginning = {
  readonly url: string
  readonly paths: readonly string[]
  /** The cluster whose objects are followed, if there is one. */
  readonly cluster: string | undefined
  readonly declarations: Declarations
  readonly home: string
  readonly tokens: number
  readonly hasDashboard: boolean
  /** The path in TEND_TOKEN_FILE, if it is set. */
  readonly tokenFile: string | undefined
}

export function greeting(beginning: Beginning): readonly string[] {
  const { url, paths, cluster, declarations, home, hasDashboard } = beginning
  const places = [...paths, ...(cluster === undefined ? [] : [`Flux's objects of ${cluster}`])]
  const from = places.length === 0 ? 'the environment (GIT_REPO_URL, …)' : places.join(', ')
  return [
    `Tend serves on ${url}`,
    `  declared in    ${from}`,
    `  looks after    ${subjects(declarations)}`,
    `  access         ${accessText(beginning)}`,
    `  dashboard      ${hasDashboard ? `${url}/` : 'not built: npm run build:web makes it'}`,
    `  webhooks       ${hooks(declarations)}`,
    `  keeps things   in ${home}`,
    ...(declarations.isEnabled ? [] : ['  sync is off: sources are read, nothing is changed']),
  ]
}

function subjects({ apps, discoveries }: Declarations): string {
  const declared = allKinds.flatMap(({ name: kind }) => {
    const number = apps.filter(({ application }) => application.kind === kind).length
    return number === 0 ? [] : [count(number, kind)]
  })
  const found = discoveries.map(({ source, path }) => {
    const [where = ''] = wordsOfSource(source)
    return `all that is in ${where}${path === '' ? '' : ` ${path}`}`
  })
  return [...declared, ...found].join(', ') || 'nothing yet'
}

/** Says who may talk to the service, and how to get a token where there is none yet. */
export function accessText({
  tokens,
  tokenFile,
  declarations,
}: Pick<Beginning, 'tokens' | 'tokenFile' | 'declarations'>): string {
  if (declarations.listen.isOpen === true) return 'open to everybody who reaches it'
  const others = tokens - (tokenFile === undefined ? 0 : 1)
  const kept = others > 0 ? `${count(others, 'token')} (tend token list)` : ''
  const all = [...(tokenFile === undefined ? [] : [`the token in ${tokenFile}`]), kept]
  const words = all.filter((word) => word !== '').join(', and ')
  if (words !== '') return `with ${words}`
  return "by this user's own verbs; for others, tend token create --role read|sync|admin makes a token"
}

function hooks({ hooks: declared }: Declarations): string {
  if (declared.length === 0) return 'off: none is declared'
  const kinds = [...new Set(declared.map(({ kind }) => kind))].join(', ')
  return `POST /api/webhook (${kinds})`
}
