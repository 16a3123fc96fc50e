/** What a Dockerfile asks of the host, and which images it reads. Lists of what is known to be harmless: all else is asked for. */
import { asksOfImage } from '#model/image-name-rules.ts'
import type { Ask } from '#model/policy.ts'
import {
  argumentsOf,
  certainFroms,
  firstFrom,
  instructionsIn,
  type Instruction,
} from './instructions.ts'
import { expanded, valuesIn, type Values } from './values.ts'

export type DockerfileAsk = Ask & { readonly line: number }

export type ReadImage = {
  readonly image: string
  readonly line: number
  /** A stage starts from it. */
  readonly isBase: boolean
}

type Judged = {
  /** Images that stages start from, without those that are stages themselves. */
  readonly bases: readonly string[]
  readonly asks: readonly DockerfileAsk[]
  /** Also under the name of a stage, unless it is certain that the stage is meant. */
  readonly images: readonly ReadImage[]
}

/** Images are looked at one by one. */
const mostImages = 64

export function judgeDockerfile(text: string, said: Readonly<Record<string, string>>): Judged {
  const instructions = instructionsIn(text)
  if (instructions === undefined) {
    const what = 'a Dockerfile that is too long to be looked at'
    return { asks: [{ ...builds, what, line: 1 }], images: [], bases: [] }
  }
  const values = valuesIn(instructions, said, firstFrom(text))
  const stages = instructions.filter(({ keyword }) => keyword === 'FROM').length
  const asks: DockerfileAsk[] = []
  const images = new Map<string, ReadImage>()
  for (const one of instructions) {
    for (const { image, ask } of foundIn(one, values, stages)) {
      if (ask !== undefined) asks.push({ ...ask, line: one.line })
      if (image === undefined) continue
      const isBase = one.keyword === 'FROM' || images.get(image)?.isBase === true
      images.set(image, { line: one.line, ...images.get(image), image, isBase })
    }
  }
  const certain = certainStages(text, instructions)
  for (const { image, line } of images.values()) {
    if ((certain.get(image) ?? line) < line) images.delete(image)
  }
  if (images.size > mostImages) {
    const what = `a Dockerfile that reads ${images.size} images (at most ${mostImages} are looked at)`
    asks.push({ ...builds, what, line: 1 })
  }
  const found = [...images.values()].slice(0, mostImages)
  const names = new Set(instructions.flatMap(stageName))
  const bases = found.filter(({ isBase, image }) => isBase && !names.has(image.toLowerCase()))
  return { asks, images: found, bases: bases.map(({ image }) => image) }
}

/** By their lines: from there on the name is that of the stage, whoever has an image of that name. */
function certainStages(
  text: string,
  instructions: readonly Instruction[],
): ReadonlyMap<string, number> {
  const lines = certainFroms(text)
  const stages = new Map<string, number>()
  for (const one of instructions) {
    const [, , name = ''] = one.keyword === 'FROM' ? argumentsOf(one) : []
    // engines differ in whether capitals count
    const isPlain = stageName(one).includes(name) && /^[a-z][a-z0-9_.-]*$/.test(name)
    if (isPlain && lines.has(one.line) && !stages.has(name)) stages.set(name, one.line)
  }
  return stages
}

/** `FROM image AS name` */
function stageName(one: Instruction): readonly string[] {
  const [, as = '', name] = one.keyword === 'FROM' ? argumentsOf(one) : []
  return as.toUpperCase() === 'AS' && name !== undefined ? [name.toLowerCase()] : []
}

type Found = { readonly image?: string; readonly ask?: Ask }

/** Whatever else a build may do that containers may not. */
const builds = { rule: 'hostNamespaces' } as const

function foundIn(one: Instruction, values: Values, stages: number): readonly Found[] {
  const ofFlags = one.flags.flatMap((flag) => flagFound(one.keyword, flag, stages))
  if (one.keyword === 'FROM') return [...ofFlags, ...baseFound(argumentsOf(one)[0] ?? '', values)]
  if (one.keyword !== 'ADD') return ofFlags
  const remote = argumentsOf(one).slice(0, -1).filter(mayBeRemote)
  return [...ofFlags, ...remote.map((source) => ({ ask: fetched(source) }))]
}

function fetched(source: string): Ask {
  return {
    ...builds,
    what: `ADD ${source}, which the engine ${source.includes('$') ? 'might' : 'would'} fetch over the network of the host,`,
    instead: source.includes('$')
      ? 'write COPY for a file of the context, which is never an address'
      : 'fetch it in a RUN instead (RUN wget …), which has the network of the build',
  }
}

/** How an address may begin. */
const remote = ['http:', 'https:', 'ftp:', 'git:', 'ssh:', 'github.com/']

/** Whatever a variable stands for, what is written before it has to go with the beginning of an address. */
function mayBeRemote(source: string): boolean {
  // a here-document
  if (source.startsWith('<<')) return false
  const [first = ''] = source.split('/')
  const at = source.indexOf('$')
  const written = (at < 0 ? source : source.slice(0, at)).toLowerCase()
  const isBeginning = at >= 0 && remote.some((one) => one.startsWith(written))
  return isBeginning || /[:@]/.test(first) || remote.some((one) => written.startsWith(one))
}

const harmless: Readonly<Record<string, RegExp>> = {
  FROM: /^--platform=/,
  ARG: /^$/,
  ADD: /^--(chown|chmod|checksum|keep-git-dir|link|exclude|unpack)(=|$)/,
  COPY: /^--(chown|chmod|link|parents|exclude|ignore-?file)(=|$)/,
  RUN: /^--(network=(default|none)|security=sandbox)$/,
}

function flagFound(keyword: string, flag: string, stages: number): readonly Found[] {
  if (harmless[keyword]?.test(flag) === true) return []
  const [, name = '', value = ''] = /^--([^=]*)=?(.*)$/s.exec(flag) ?? []
  if (keyword === 'COPY' && name === 'from') return readFound(value, stages)
  if (keyword === 'RUN' && name === 'mount') return mountFound(value, stages)
  return [{ ask: { ...builds, what: `${keyword} ${flag}` } }]
}

const mountTypes = new Set(['', 'bind', 'tmpfs', 'secret', 'ssh'])

/**
 * What may be said of a mount. Not `source`: Podman before 4.9.4 follows a link there out of the build, and the whole host is mounted
 * writable (CVE-2024-1753). Nor `bind-propagation`, which carries further options in (CVE-2024-9407).
 */
const mountFields = new Set(
  'type from target dst destination ro readonly rw readwrite size id required mode uid gid env'.split(
    ' ',
  ),
)

/** No secret and no agent is ever given to a build here, so that these two find nothing. */
function mountFound(value: string, stages: number): readonly Found[] {
  const fields = value.split(',').map((field) => field.trim().split('='))
  const of = (name: string): string =>
    fields
      .find(([key = '']) => key.trim().toLowerCase() === name)
      ?.slice(1)
      .join('=') ?? ''
  const type = of('type').toLowerCase()
  if (type === 'cache') {
    const what = `RUN --mount=${value}, a cache that all builds of the engine share,`
    return [{ ask: { rule: 'externalVolumes', what, instead: 'leave the mount out' } }]
  }
  if (!mountTypes.has(type)) return [{ ask: { ...builds, what: `RUN --mount=${value}` } }]
  const keys = fields.map(([key = '']) => key.trim())
  const odd = keys.find((key) => !mountFields.has(key))
  if (odd !== undefined) return [{ ask: oddMount(value, odd) }]
  // engines take the last one
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice !== undefined) {
    const what = `RUN --mount=${value}, which says ${twice} twice,`
    return [{ ask: { ...builds, what, instead: 'say it once' } }]
  }
  const from = of('from')
  return from === '' ? [] : readFound(from, stages)
}

function oddMount(value: string, field: string): Ask {
  const what = `RUN --mount=${value}, of which ${field} may lead out of the build,`
  return { rule: 'outsideBinds', what, instead: 'COPY what it needs, or mount without it' }
}

/** A stage by its number or name, or an image. Engines differ in whether they fill variables in here. */
function readFound(from: string, stages: number): readonly Found[] {
  if (/^\d+$/.test(from) && Number(from) < stages) return []
  return from.includes('$') ? [{ ask: unknown(from) }] : imageFound(from)
}

function baseFound(image: string, values: Values): readonly Found[] {
  const all = expanded(image, values)
  if (all === undefined) return [{ ask: unknown(image) }]
  return all.filter((one) => one !== 'scratch' && !isUnfinished(one)).flatMap(imageFound)
}

/** Nothing, or `name:` where a variable may be empty: no engine finds an image by that. */
function isUnfinished(image: string): boolean {
  return image === '' || (image.endsWith(':') && asksOfImage(`${image}x`).length === 0)
}

function unknown(image: string): Ask {
  return {
    rule: 'externalImages',
    what: `the image ${image}, of which can't be told which it is,`,
    instead: 'write its name out, or give its ARG a plain default',
  }
}

function imageFound(image: string): readonly Found[] {
  const asks = asksOfImage(image)
  return asks.length === 0 ? [{ image }] : asks.map((ask) => ({ ask }))
}
