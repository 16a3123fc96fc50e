/**
 * A hundred secrets in every place that can hold one; every verb, every route and the usual failures; and none of them is in the
 * log, an answer, an event, the database, a label of ours or a command line.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { recordOf, textMapOf } from '#model/read-json.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { listVolumes } from '#clients/docker/volumes.ts'
import { fleetOpener } from '../testbed/fleet.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { busybox } from '../testbed/image.ts'
import { asked, told } from '../testbed/planted-asked.ts'
import { aChart, byHand } from '../testbed/planted-by-hand.ts'
import { plantedFleet } from '../testbed/planted-fleet.ts'
import { stackFiles } from '../testbed/planted-files.ts'
import { verbs } from '#cli/arguments/verbs.ts'
import { encryptedApps, type Encrypted } from '../testbed/planted-encrypted.ts'
import { planted, watchCommandLines, type Planted } from '../testbed/planted.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'

const never = new AbortController().signal

/** Whatever was asked anywhere in this file. */
const everAsked = new Set<string>()
const skip = bothEngines.map(([, reason]) => reason).find((reason) => reason !== false) ?? false

/** Verbs that are not asked, and why. */
const knowNothing: Readonly<Record<string, string>> = {
  completion: 'it prints a script',
  'compose config': 'it prints what docker compose prints, to the one who typed it',
  'compose watch': 'it never ends, and does what compose up does',
  create: 'it writes a chart to begin with',
  explain: 'it prints a table',
  'kube check': 'a cluster of its own: test/hostile/cluster.ts',
  'kube install': 'a cluster of its own: test/hostile/cluster.ts',
  'kustomize build': 'it prints what kustomize prints, to the one who typed it',
  licenses: 'it prints texts',
  login: 'it leads to a provider: test/e2e/server-login.test.ts',
  schema: 'it prints schemas',
  serve: 'it is what is asked',
  'upgrade-check': 'it asks for releases',
  version: 'it prints a version',
  watch: 'it does what serve does, and never ends',
}

for (const [name, skip, begin] of bothEngines) {
  describe(`planted secrets on ${name}`, { skip }, () => {
    test('none is told, and none is kept in clear', { timeout: 600_000 }, async (t) => {
      const garden = planted()
      const engine = await begin()
      const docker = dockerAt({ address: `unix://${engine.socket}` })
      const git = gitBench()
      const serving = await servingOn({
        DOCKER_HOST: `unix://${engine.socket}`,
        CONTAINER_HOST: `unix://${engine.socket}`,
        WEBHOOK_SECRET: garden.plant('a variable of the service'),
      })
      const stop = watchCommandLines(garden.keep)
      t.after(async () => {
        stop()
        await serving.remove()
        git.remove()
        docker.close()
        await engine.stop()
      })
      await followed(garden, serving, git, name === 'Podman')
      await (name === 'Docker' ? byHand(garden, serving) : aChart(garden, serving))
      await kept(garden, serving, docker)
      assert.ok(garden.count() >= 100, `only ${garden.count()} were planted`)
      assert.deepEqual(garden.leaks(), [])
      for (const place of garden.places()) everAsked.add(place)
    })
  })
}

const openFleet = fleetOpener()

test('planted secrets in a fleet: none is told', { timeout: 300_000 }, async () => {
  const garden = planted()
  const fleet = await openFleet('dev')
  await plantedFleet(garden, fleet)
  const { folder } = fleet
  for (const one of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!one.isFile() || !/\.(db|log|md)$/.test(one.name)) continue
    garden.keep(one.name, readFileSync(join(one.parentPath, one.name), 'latin1'))
  }
  assert.ok(garden.count() >= 7)
  assert.deepEqual(garden.leaks(), [])
  for (const place of garden.places()) everAsked.add(place)
})

test('every verb was asked, but for those that know no application', { skip }, () => {
  const wasAsked = (name: string): boolean =>
    [...everAsked].some((place) => `${place} `.startsWith(`tend ${name} `))
  const left = verbs.map(({ name }) => name).filter((name) => !wasAsked(name))
  assert.deepEqual(left.toSorted(), Object.keys(knowNothing).toSorted())
})

/** What the service follows, and how it goes wrong. */
async function followed(
  garden: Planted,
  serving: Serving,
  git: Bench,
  hasCharts: boolean,
): Promise<void> {
  const files = stackFiles(garden, 'web')
  git.commit('one', files)
  const encrypted = await encryptedApps(garden, serving, git, hasCharts)
  const hook = join(serving.folder, 'hook')
  writeFileSync(hook, garden.plant('the secret of a hook'))
  serving.declare(`
sources: { infra: { git: "${git.bare}", ref: main } }
hooks: [{ kind: github, secret: { file: ${hook} } }, { kind: gitea, secret: { variable: WEBHOOK_SECRET } }]
alerts:
  failures: 1
  channels: [{ kind: webhook, url: "${garden.plant('an alert', 'http://u:%@127.0.0.1:1/')}" }]
apps:
  - stack: web
    path: web
    interval: off
    timeout: 20s
    values: { SESSION_SECRET: ${garden.plant('values in tend.yaml')} }
${encrypted.apps}`)
  await serving.start()
  await serving.until('stack:web', ({ state }) => state === 'synced')
  for (const key of encrypted.keys) await serving.until(key, ({ state }) => state === 'synced')
  await asked(garden, serving, 'stack:web')
  for (const key of encrypted.keys) await asked(garden, serving, key, ['status -o json', 'history'])
  const compose = files['web/compose.yaml'] ?? ''
  const failures: readonly Record<string, string>[] = [
    {
      'web/compose.yaml': `${compose}`.replace('hostname:', 'cpus: ${DB_PASSWORD}\n    hostname:'),
    },
    { 'web/compose.yaml': compose.replace('"data:/data"', '"${JWT}:${JWT}:${JWT}"') },
    { 'web/compose.yaml': compose, 'web/web.env': `A="${garden.plant('an open quote')}` },
    { 'web/web.env': `A B=${garden.plant('a bad name')}\n` },
    { 'web/web.env': `A=\${${garden.plant('a bad variable')}\n` },
    {
      'web/web.env': files['web/web.env'] ?? '',
      'web/compose.yaml': `x: [${garden.plant('YAML')}`,
    },
    {
      'web/compose.yaml': compose
        .replace('test -e /ready', 'exit 1')
        .replace('retries: 50', 'retries: 1'),
    },
    { 'web/compose.yaml': compose.replace(busybox, 'localhost/tend/nobody:none') },
  ]
  for (const [index, change] of failures.entries()) {
    git.commit(`failure ${index}`, change)
    await told(garden, serving, 'sync web')
    await waitFor(() => (serving.log().match(/ ERROR /g)?.length ?? 0) > index)
    await asked(garden, serving, 'stack:web', [])
  }
  git.commit('good again', {
    ...files,
    'web/compose.yaml': compose.replace('WORD: one', 'WORD: two'),
  })
  await told(garden, serving, 'sync web')
  await serving.until('stack:web', ({ state }) => state === 'synced')
  await encryptedFailures(garden, serving, git, encrypted)
  garden.keep('the log', serving.log())
  for (const told of [
    /must be a number/,
    /quoted value is not closed/,
    /localhost\/tend\/nobody/,
  ]) {
    assert.match(serving.log(), told)
  }
}

/** The same for what SOPS encrypted. */
async function encryptedFailures(
  garden: Planted,
  serving: Serving,
  git: Bench,
  { keys, failures, mend }: Encrypted,
): Promise<void> {
  for (const [index, [files, said]] of failures.entries()) {
    const from = serving.log().length
    git.commit(`encrypted failure ${index}`, files)
    for (const key of keys) await told(garden, serving, `sync ${key.replace(':', '/')}`)
    await waitFor(() => said.test(serving.log().slice(from)))
    for (const key of keys) await asked(garden, serving, key, ['plan'])
  }
  mend()
  for (const key of keys) {
    await told(garden, serving, `sync ${key.replace(':', '/')}`)
    await serving.until(key, ({ state }) => state === 'synced')
  }
}

/** What stays on the disk and on the engine. */
async function kept(garden: Planted, serving: Serving, docker: Docker): Promise<void> {
  garden.keep('the log', serving.log())
  for (const container of await listContainers(docker, [], never)) {
    const found = await inspectContainer(docker, container.id, never)
    const labels = textMapOf(recordOf(found?.['Config'])['Labels'])
    garden.keep('labels of containers', JSON.stringify(ownLabels(labels)))
  }
  for (const { labels } of await listVolumes(docker, [], never)) {
    garden.keep('labels of volumes', JSON.stringify(ownLabels(labels)))
  }
  await told(garden, serving, `db backup ${join(serving.folder, 'backup.db')}`)
  await serving.stop()
  await told(garden, serving, `db export ${join(serving.folder, 'export.jsonl')}`)
  for (const name of ['backup.db', 'export.jsonl']) {
    garden.keep(name, readFileSync(join(serving.folder, name), 'latin1'))
  }
  for (const name of readdirSync(serving.home)) {
    const path = join(serving.home, name)
    if (statSync(path).isFile()) garden.keep(`home/${name}`, readFileSync(path, 'latin1'))
  }
}

/** What an author asks to have on a container in clear is there in clear. */
function ownLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isOurs = (one: string): boolean => /^(tend\/|com\.docker\.compose|cutepod)/.test(one)
  return Object.fromEntries(Object.entries(labels).filter(([one]) => isOurs(one)))
}
