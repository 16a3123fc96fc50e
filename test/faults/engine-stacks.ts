/** Stacks with a volume on real engines, and what has to be so of them after every harm. */
import assert from 'node:assert/strict'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { execIn } from '#clients/docker/exec.ts'
import { listVolumes } from '#clients/docker/volumes.ts'
import { bothEngines, type Engine } from '../testbed/both-engines.ts'
import { busybox } from '../testbed/image.ts'
import { faultsOnLabels, type Made, type Write } from './history.ts'
import { makeStrangers, type Strangers } from './strangers.ts'

export type EngineStacks = {
  readonly names: readonly string[]
  /** Lines of tend.yaml. */
  readonly declared: readonly string[]
  filesAt(round: number): Readonly<Record<string, string>>
  /**
   * Throws what is not as declared: containers that are missing, old or too many, a volume that is another one, something that is
   * not ours and changed, labels that no run with a right could have written.
   */
  check(round: number, history: readonly Write[]): Promise<void>
  /** Ids and states of all containers, by their names. */
  seen(): Promise<readonly string[]>
  close(): Promise<void>
}

type Place = {
  readonly engine: Engine
  readonly docker: Docker
  readonly stacks: readonly string[]
  readonly strangers: Strangers
}

const { signal } = new AbortController()
const volume = (stack: string): string => `${stack}_data`

/** On so many of Docker, Docker and Podman, as far as they are there: two stacks on each. */
export async function openEngineStacks(count: number): Promise<EngineStacks> {
  const [docker, podman] = bothEngines
  const places: Place[] = []
  for (const [at, [, skip, start]] of [docker, docker, podman].slice(0, count).entries()) {
    if (skip === false) places.push(await placeOn(await start(), at))
  }
  const marked = new Set<string>()

  async function checkPlace({ docker: on, stacks, strangers }: Place, round: number) {
    await strangers.check(`round ${round}`)
    const made: Made[] = []
    const volumes = (await listVolumes(on, [], signal)).map(({ name }) => name)
    for (const stack of stacks) {
      const label = `com.docker.compose.project=${stack}`
      const containers = await listContainers(on, [label], signal)
      assert.deepEqual(
        containers.map(({ name, state }) => `${name} ${state}`),
        [`${stack}-web-1 running`],
      )
      const [one] = containers
      assert.ok(one !== undefined)
      assert.equal(await said(on, one.id, 'sh', '-c', 'echo $ROUND'), String(round), stack)
      const { body } = await on.ask('GET', `/containers/${one.id}/json`, { signal, doing: 'look' })
      made.push({
        key: `stack:${stack}`,
        name: one.name,
        generation: Number(one.labels['tend/generation']),
        at: Date.parse(createdIn(body)),
      })
      assert.ok(volumes.includes(volume(stack)), `${volume(stack)} is lost`)
      // Docker's time of a volume is that of what was last written there
      if (!marked.has(stack)) await said(on, one.id, 'sh', '-c', 'echo kept > /data/mark')
      marked.add(stack)
      assert.equal(
        await said(on, one.id, 'cat', '/data/mark'),
        'kept',
        `${volume(stack)} is another`,
      )
    }
    return made
  }

  return {
    names: places.flatMap(({ stacks }) => stacks),
    declared: places.flatMap(({ engine, stacks }) =>
      stacks.map(
        (name) => `  - { stack: ${name}, path: ${name}, target: "unix://${engine.socket}" }`,
      ),
    ),
    filesAt: (round) =>
      Object.fromEntries(
        places.flatMap(({ stacks }) =>
          stacks.map((stack) => [`${stack}/compose.yaml`, composeOf(round)]),
        ),
      ),
    async check(round, history) {
      for (const place of places) {
        const made = await checkPlace(place, round)
        assert.deepEqual(faultsOnLabels(history, made), [])
      }
    },
    async seen() {
      const all = await Promise.all(places.map(({ docker: on }) => listContainers(on, [], signal)))
      return all
        .flat()
        .map(({ name, id, state }) => `${name} ${id} ${state}`)
        .toSorted()
    },
    async close() {
      for (const { docker: on, engine } of places) {
        on.close()
        await engine.stop()
      }
    },
  }
}

async function placeOn(engine: Engine, at: number): Promise<Place> {
  const docker = dockerAt({ address: `unix://${engine.socket}` })
  const strangers = await makeStrangers(docker)
  return { engine, docker, strangers, stacks: [`s${at}1`, `s${at}2`] }
}

function composeOf(round: number): string {
  return `
services:
  web:
    image: ${busybox}
    command: sleep 100000
    stop_grace_period: 0s
    environment: { ROUND: "${round}" }
    volumes: ["data:/data"]
volumes: { data: }
`
}

async function said(
  docker: Docker,
  container: string,
  ...command: readonly string[]
): Promise<string> {
  const lines: string[] = []
  await execIn(docker, container, { command, report: (line) => lines.push(line) }, signal)
  return lines.join('\n')
}

function createdIn(body: unknown): string {
  assert.ok(typeof body === 'object' && body !== null && 'Created' in body)
  return String(body.Created)
}
