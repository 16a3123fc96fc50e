/** What a Dockerfile asks of the host, and which images it reads. Lists of what is known to be harmless: all else is asked for. */
import { asksOfImage } from '#model/image-name-rules.ts'
import type { Ask } from '#model/policy.ts'
import type { Dockerfile, Field, Flag, Instruction } from './instruction.ts'
import { parseDockerfile } from './parse.ts'
import { printDockerfile } from './print.ts'
import { NotUnderstood } from './refused.ts'
import { nameStages, withStages, type Stages } from './stages.ts'
import { possible, resolveVariables, type Resolved } from './values.ts'
import { bare, literalOf, type Word } from './words.ts'

export type DockerfileAsk = Ask & { readonly line: number }

export type ReadImage = {
  readonly image: string
  readonly line: number
}

type Judged = {
  /** As it was understood, with variables filled in where they are judged. Undefined: engines may read it otherwise. */
  readonly dockerfile?: Dockerfile
  /** Images that stages start from, without those that are stages themselves. */
  readonly bases: readonly string[]
  readonly asks: readonly DockerfileAsk[]
  readonly images: readonly ReadImage[]
}

/** Images are looked at one by one. */
const mostImages = 64

export function judgeDockerfile(text: string, said: Readonly<Record<string, string>>): Judged {
  try {
    const { dockerfile, given } = resolveVariables(parseDockerfile(text), said)
    const resolved = { dockerfile: nameStages(dockerfile), given }
    // whatever can't be printed is told here already
    printDockerfile(resolved.dockerfile)
    return judged(resolved)
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error
    return { asks: [askFor(error)], images: [], bases: [] }
  }
}

/** Whoever may write such a file could write anything into it, so that it is allowed only with everything. */
function askFor({ line, what, instead }: NotUnderstood): DockerfileAsk {
  return { rule: 'privileged', what, instead, line }
}

/**
 * What an image brings along (ONBUILD) can't be printed anew: it has to be written so that it would be printed as it is, in all that is
 * judged. Each is one line: an engine may take several for several instructions, below directives of their own.
 */
export function judgeTriggers(triggers: readonly string[]): Omit<Judged, 'dockerfile'> {
  const asks: DockerfileAsk[] = []
  const images: ReadImage[] = []
  for (const trigger of triggers.slice(0, mostImages)) {
    if (/[\n\r]/.test(trigger.trim())) {
      asks.push(askFor(differs(trigger)))
      continue
    }
    const found = judgeDockerfile(`FROM scratch\n${trigger}`, {})
    asks.push(...found.asks)
    images.push(...found.images)
    const [, one] = found.dockerfile ?? []
    if (one === undefined) continue
    const isJudged = ['ADD', 'COPY', 'RUN', 'FROM', 'ONBUILD'].includes(one.keyword)
    const isAsPrinted = single(trigger) === single(printDockerfile([one]))
    if (isJudged && !isAsPrinted) asks.push(askFor(differs(trigger)))
  }
  if (triggers.length > mostImages) asks.push(askFor(differs(`${triggers.length} instructions`)))
  return { asks, images, bases: [] }
}

function differs(trigger: string): NotUnderstood {
  const shown = trigger.replaceAll(/\s+/g, ' ').slice(0, 80)
  const what = `${shown}, which engines may read differently,`
  return new NotUnderstood(1, what, 'start from another image')
}

function single(text: string): string {
  return text.trim().replaceAll(/[\t ]+/g, ' ')
}

function judged({ dockerfile, given }: Resolved): Judged {
  const asks: DockerfileAsk[] = []
  const images = new Map<string, ReadImage>()
  const bases = new Set<string>()
  for (const { one, stages } of withStages(dockerfile)) {
    for (const { image, ask } of foundIn(one, given, stages)) {
      if (ask !== undefined) asks.push({ ...ask, line: one.line })
      if (image === undefined) continue
      images.set(image, images.get(image) ?? { image, line: one.line })
      if (one.keyword === 'FROM') bases.add(image)
    }
  }
  if (images.size > mostImages) {
    const what = `a Dockerfile that reads ${images.size} images (at most ${mostImages} are looked at)`
    throw new NotUnderstood(1, what, 'use fewer images')
  }
  return { dockerfile, asks, images: [...images.values()], bases: [...bases] }
}

type Found = { readonly image?: string; readonly ask?: Ask }

/** Whatever else a build may do that containers may not. */
const builds = { rule: 'hostNamespaces' } as const

function foundIn(one: Instruction, given: Resolved['given'], stages: Stages): readonly Found[] {
  // it is carried out in another Dockerfile, with other stages
  if (one.keyword === 'ONBUILD') return foundIn(one.later, given, { names: new Set(), count: 0 })
  const ofFlags = one.flags.flatMap((flag) => flagFound(one, flag, stages))
  if (one.keyword === 'FROM') return [...ofFlags, ...baseFound(one.image, one.line, given, stages)]
  if (one.keyword !== 'ADD') return ofFlags
  const remote = one.words.slice(0, -1).filter(mayBeRemote)
  return [...ofFlags, ...remote.map((source) => ({ ask: fetched(source) }))]
}

function fetched(source: Word): Ask {
  const isKnown = literalOf(source) !== undefined
  return {
    ...builds,
    what: `ADD ${bare(source)}, which the engine ${isKnown ? 'would' : 'might'} fetch over the network of the host,`,
    instead: isKnown
      ? 'fetch it in a RUN instead (RUN wget …), which has the network of the build'
      : 'write COPY for a file of the context, which is never an address',
  }
}

/** How an address may begin. */
const remote = ['http:', 'https:', 'ftp:', 'git:', 'ssh:', 'github.com/']

/** Whatever a variable stands for, what is written before it has to go with the beginning of an address. */
function mayBeRemote(source: Word): boolean {
  const [first = ''] = source
  const written = (typeof first === 'string' ? first : '').toLowerCase()
  const isWhole = literalOf(source) !== undefined
  const [part = ''] = written.split('/')
  const isBeginning = !isWhole && remote.some((one) => one.startsWith(written))
  return isBeginning || /[:@]/.test(part) || remote.some((one) => written.startsWith(one))
}

/** The rest of what is understood at all does nothing outside of the build. */
function flagFound(
  { keyword, line }: Instruction,
  { name, value = [], fields }: Flag,
  stages: Stages,
): readonly Found[] {
  const said = bare(value)
  if (fields !== undefined) return mountFound(fields, line, stages)
  if (keyword === 'COPY' && name === 'from') return readFound(said, line, stages)
  const isHarmless =
    (name !== 'network' || said === 'default' || said === 'none') &&
    (name !== 'security' || said === 'sandbox')
  return isHarmless ? [] : [{ ask: { ...builds, what: `${keyword} --${name}=${said}` } }]
}

const mountTypes = new Set(['', 'bind', 'tmpfs', 'secret', 'ssh'])

/**
 * Not `source`: Podman before 4.9.4 follows a link there out of the build, and the whole host is mounted writable (CVE-2024-1753).
 * Nor `bind-propagation`, which carries further options in (CVE-2024-9407).
 */
const leadingOut = new Set(['source', 'bind-propagation', 'sharing'])

/** No secret and no agent is ever given to a build here, so that these two find nothing. */
function mountFound(fields: readonly Field[], line: number, stages: Stages): readonly Found[] {
  const of = (name: string): string => fields.find((field) => field.name === name)?.value ?? ''
  const written = fields.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`))
  const mount = `RUN --mount=${written.join(',')}`
  const from = of('from') === '' ? [] : readFound(of('from'), line, stages)
  if (of('type') === 'cache') {
    const what = `${mount}, a cache that all builds of the engine share,`
    return [...from, { ask: { rule: 'externalVolumes', what, instead: 'leave the mount out' } }]
  }
  if (!mountTypes.has(of('type'))) return [...from, { ask: { ...builds, what: mount } }]
  const odd = fields.find(({ name }) => leadingOut.has(name))
  if (odd === undefined) return from
  const what = `${mount}, of which ${odd.name} may lead out of the build,`
  const instead = 'COPY what it needs, or mount without it'
  return [...from, { ask: { rule: 'outsideBinds', what, instead } }]
}

/** A stage by its number or name, or an image. */
function readFound(from: string, line: number, { names, count }: Stages): readonly Found[] {
  if (names.has(from.toLowerCase())) return []
  if (!/^\d+$/.test(from)) return imageFound(from)
  if (/^(0|[1-9]\d*)$/.test(from) && Number(from) < count) return []
  throw new NotUnderstood(line, `stage ${from}, which is none of those above,`, 'name it')
}

function baseFound(
  image: Word,
  line: number,
  given: Resolved['given'],
  { names }: Stages,
): readonly Found[] {
  const all = possible(image, given, line)
  // of several the machine chooses; a build for one that has none of its own is refused when it is printed
  if (all.some((one) => names.has(one.toLowerCase()))) return []
  if (all.some((one) => /^\d+$/.test(one))) {
    const what = `FROM ${bare(image)}, which may be a stage or an image,`
    throw new NotUnderstood(line, what, 'write it out')
  }
  return all.filter((one) => one !== 'scratch' && !isUnfinished(one)).flatMap(imageFound)
}

/** Nothing, or `name:` where a variable may be empty: no engine finds an image by that. */
function isUnfinished(image: string): boolean {
  return image === '' || (image.endsWith(':') && asksOfImage(`${image}x`).length === 0)
}

function imageFound(image: string): readonly Found[] {
  const asks = asksOfImage(image)
  return asks.length === 0 ? [{ image }] : asks.map((ask) => ({ ask }))
}
