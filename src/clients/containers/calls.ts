/** Calls that Docker's API and libpod's have alike: the same paths, the same words in the answer. */
import { setTimeout as sleep } from 'node:timers/promises'
import { numberOf, recordOf, recordsOf, textMapOf, textOf, textsOf } from '#model/read-json.ts'
import type {
  CheckResult,
  ImageLoad,
  InspectedImage,
  ListedImage,
} from '#model/container-engine.ts'
import type { Json, JsonRecord } from '#model/json.ts'

/** A client of one of the two APIs. */
export type Speaker = {
  ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    ask: {
      readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
      readonly body?: JsonRecord
      readonly signal: AbortSignal
      readonly fine?: readonly number[]
      readonly silence?: number
      readonly doing: string
    },
  ): Promise<{
    readonly status: number
    readonly body: Json
    readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  }>
}

/** Beside what an engine tells of something: the time of its answer, by its own clock. */
export const answeredAt = 'AnsweredAt'

/** An object's name or id as part of a path. */
export function segment(name: string): string {
  return encodeURIComponent(name)
}

/** Filters as both engines take them. */
export function filters(filter: Readonly<Record<string, readonly string[]>>): string {
  return JSON.stringify(filter)
}

/** Gets the object at a path; undefined when there is none. `what` names it in messages: "container web". */
export async function inspected(
  engine: Speaker,
  what: string,
  path: string,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  const doing = `could not look at ${what}`
  const { status, body, headers } = await engine.ask('GET', path, { signal, doing, fine: [404] })
  if (status === 404) return undefined
  const date = headers?.['date']
  return typeof date === 'string' ? { ...recordOf(body), [answeredAt]: date } : recordOf(body)
}

/** A container that runs already is no problem. */
export function startContainer(
  engine: Speaker,
  name: string,
  signal: AbortSignal,
  shown = name,
): Promise<unknown> {
  const doing = `could not start container ${shown}`
  const path = `/containers/${segment(name)}/start`
  return engine.ask('POST', path, { signal, doing, fine: [304], silence: 120_000 })
}

export function unpauseContainer(
  engine: Speaker,
  name: string,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not unpause container ${name}`
  return engine.ask('POST', `/containers/${segment(name)}/unpause`, { signal, doing })
}

export function renameContainer(
  engine: Speaker,
  name: string,
  to: string,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not rename container ${name} to ${to}`
  const path = `/containers/${segment(name)}/rename`
  return engine.ask('POST', path, { query: { name: to }, signal, doing })
}

/** What was made: its id, and what the engine could not do as it was asked to. */
export type CreatedContainer = { readonly id: string; readonly warnings: readonly string[] }

export async function createAt(
  engine: Speaker,
  name: string,
  query: Readonly<Record<string, string | undefined>>,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<CreatedContainer> {
  const doing = `could not create container ${name}`
  const path = '/containers/create'
  const said = await engine.ask('POST', path, { query, body, signal, doing, silence: 120_000 })
  const made = recordOf(said.body)
  return { id: textOf(made['Id']), warnings: textsOf(made['Warnings']) }
}

/** The answer to a check that was run just now. */
export function checkResultOf(body: Json): CheckResult {
  const result = recordOf(body)
  const last = recordsOf(result['Log']).at(-1)
  const isHealthy =
    last === undefined ? result['Status'] === 'healthy' : numberOf(last['ExitCode']) === 0
  return { isHealthy, output: textOf(last?.['Output']).trim() }
}

/** Never removes by force: that would remove the attached containers too. */
export function removeNetwork(
  engine: Speaker,
  name: string,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not remove network ${name}`
  return engine.ask('DELETE', `/networks/${segment(name)}`, { signal, doing, fine: [404] })
}

export function connectAt(
  engine: Speaker,
  network: string,
  container: string,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not connect container ${container} to network ${network}`
  return engine.ask('POST', `/networks/${segment(network)}/connect`, { body, signal, doing })
}

export function disconnectAt(
  engine: Speaker,
  network: string,
  container: string,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not disconnect container ${container} from network ${network}`
  const path = `/networks/${segment(network)}/disconnect`
  return engine.ask('POST', path, { body, signal, doing, fine: [404] })
}

export type ListedVolume = {
  readonly name: string
  readonly driver: string
  readonly mountpoint: string
  readonly createdAt: string
  readonly labels: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string>>
}

export function listedVolume(item: JsonRecord): ListedVolume {
  return {
    name: textOf(item['Name']),
    driver: textOf(item['Driver']),
    mountpoint: textOf(item['Mountpoint']),
    createdAt: textOf(item['CreatedAt']),
    labels: textMapOf(item['Labels']),
    options: textMapOf(item['Options']),
  }
}

/** Where a volume of this name exists, Docker gives that one back, whatever its labels are. The answer shows which volume it is. */
export async function createVolume(
  engine: Speaker,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<ListedVolume> {
  const doing = `could not create volume ${textOf(body['Name'])}`
  const said = await engine.ask('POST', '/volumes/create', { body, signal, doing })
  return listedVolume(recordOf(said.body))
}

/** Never removes by force: that would remove the containers that use the volume too. */
export function removeVolume(engine: Speaker, name: string, signal: AbortSignal): Promise<unknown> {
  const doing = `could not remove volume ${name}`
  return engine.ask('DELETE', `/volumes/${segment(name)}`, { signal, doing, fine: [404] })
}

/** Both engines have the labels in the image's configuration. */
export async function inspectImage(
  engine: Speaker,
  name: string,
  signal: AbortSignal,
): Promise<InspectedImage | undefined> {
  const found = await inspected(engine, `image ${name}`, `/images/${segment(name)}/json`, signal)
  if (found === undefined) return undefined
  const id = textOf(found['Id']).replace(/^sha256:/, '')
  const config = recordOf(found['Config'])
  return {
    id,
    labels: textMapOf(config['Labels']),
    onBuild: textsOf(config['OnBuild']),
    workingDirectory: textOf(config['WorkingDir']),
    unsetVariables: textsOf(config['Env']).filter((line) => !line.includes('=')),
    load: loadOf(config),
  }
}

/** What a list tells of one port that is only exposed, and of one volume without a name with its mount, in letters. */
const [ofPort, ofVolume] = [40, 600]

function loadOf(config: JsonRecord): ImageLoad {
  const { ExposedPorts: ports, Volumes: volumes, ...others } = config
  return {
    letters:
      JSON.stringify({ ...others, volumes }).length +
      Object.keys(recordOf(volumes)).length * ofVolume,
    ofPorts: Object.keys(recordOf(ports)).length * ofPort,
  }
}

export async function listImages(
  engine: Speaker,
  signal: AbortSignal,
): Promise<readonly ListedImage[]> {
  const doing = 'could not list images'
  const list = (): ReturnType<Speaker['ask']> =>
    engine.ask('GET', '/images/json', { signal, doing })
  const { body } = await whileImagesGo(list, signal)
  return recordsOf(body).map((item) => ({
    id: textOf(item['Id']),
    names: textsOf(item['RepoTags']),
    digests: textsOf(item['RepoDigests']),
  }))
}

/** A removal takes its time; the pauses are ms, each twice as long as the one before. */
const [mostTries, firstPause] = [6, 50]

/** Podman's list fails as a whole when one image is removed meanwhile, which every build does. Asked again, it knows the answer. */
async function whileImagesGo<Result>(
  list: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await list()
    } catch (error) {
      const hasGone = error instanceof Error && /image not known/.test(error.message)
      if (!hasGone || tries >= mostTries) throw error
      await sleep(firstPause * 2 ** tries, undefined, { signal })
    }
  }
}
