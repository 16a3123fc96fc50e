/**
 * A hundred secrets in every place that can hold one; every verb, every route and the usual failures; and none of them is in the
 * log, an answer, an event, the database, a label of ours or a command line.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { recordOf, textMapOf } from '#model/read-json.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { listVolumes } from '#clients/docker/volumes.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { busybox } from '../testbed/image.ts'
import { asked, told } from '../testbed/planted-asked.ts'
import { envFile, plainNames, secretNames, stackFiles } from '../testbed/planted-files.ts'
import { encryptedApps, type Encrypted } from '../testbed/planted-encrypted.ts'
import { planted, watchCommandLines, type Planted } from '../testbed/planted.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'

const never = new AbortController().signal

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
    })
  })
}

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
  if (!hasCharts) await encryptedFailures(garden, serving, git, encrypted)
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

/** The same by hand, in a home of the same kind. */
async function byHand(garden: Planted, serving: Serving): Promise<void> {
  const write = writerIn(serving)
  const files = stackFiles(garden, 'hand')
  write(files)
  const compose = files['hand/compose.yaml'] ?? ''
  const file = '-f hand/compose.yaml'
  for (const line of [`compose plan -v ${file}`, `up -v --yes ${file}`, `up -v --yes ${file}`]) {
    await told(garden, serving, line)
  }
  write({
    'hand/compose.yaml': compose.replace('WORD: one', 'WORD: two'),
    'hand/token.txt': garden.plant('a new token'),
  })
  for (const line of [
    `compose plan -v ${file}`,
    `compose plan -o json ${file}`,
    `up -v --yes ${file}`,
  ]) {
    await told(garden, serving, line)
  }
  write({ 'hand/compose.yaml': compose.replace('image:', 'cpus: ${SMTP_PW}\n    image:') })
  await told(garden, serving, `up -v --yes ${file}`)
  for (const line of [
    'status',
    'history',
    'history -o json',
    'rollback --yes -v',
    'down --volumes --yes -v',
  ]) {
    await told(garden, serving, `compose ${line} -p hand`)
  }
}

async function aChart(garden: Planted, serving: Serving): Promise<void> {
  const write = writerIn(serving)
  const values = secretNames
    .map((one) => `  ${one}: ${garden.plant(`${one} of values`)}\n`)
    .join('')
  const metadata = (kind: string, one: string) =>
    `apiVersion: cutepod/v1alpha0\nkind: ${kind}\nmetadata: { name: ${one}, labels: { told: "{{ .Values.app.BASIC_AUTH }}" } }\nspec:\n`
  write({
    'shop/Chart.yaml': 'name: shop\nversion: 1.0.0\n',
    'shop/values.yaml': `app:\n${values}plain: readable\n`,
    'shop/web.env': envFile(garden, 'web.env of a chart', [...plainNames, ...secretNames]),
    'shop/templates/web.yaml': `${metadata('CuteContainer', 'web')}  image: ${busybox}
  envFile: web.env
  command: [sh, -c, ": {{ .Values.app.DB_PASSWORD }}; exec sleep 100000"]
  env:
    - { name: WORD, value: "x{{ .Values.app.JWT }}" }
    - { name: DSN, value: "${garden.plant('env of a chart', 'postgres://u:%@db')}" }
  health: { type: exec, command: [sh, -c, "true {{ .Values.app.SMTP_PW }}"], intervalSeconds: 1 }
---
${metadata('CuteSecret', 'token')}  stringData: { token: ${garden.plant('a secret of a chart')} }
`,
  })
  const flags = `--set-string app.extraToken=${garden.plant('--set')}`
  // what a person types is on the command line of that person's own program
  const [name = '', secret = ''] = flags.slice('--set-string '.length).split('=')
  write({ 'more.yaml': `app: { ${name.slice('app.'.length)}: ${secret} }\n` })
  for (const line of [
    'lint shop',
    'template shop',
    'install shop -v -f more.yaml',
    'status shop -o json',
  ]) {
    await told(garden, serving, line)
  }
  const broken = 'spec:\n  image: x\n  cpu: "{{ .Values.app.DB_PASSWORD }}"\n'
  write({
    'shop/templates/bad.yaml': `apiVersion: cutepod/v1alpha0\nkind: CuteContainer\nmetadata: { name: bad }\n${broken}`,
  })
  for (const line of [
    'plan shop',
    'upgrade shop -v',
    'history shop',
    'get shop',
    'uninstall shop --yes -v',
  ]) {
    await told(garden, serving, line)
  }
}

function writerIn({ folder }: Serving): (files: Record<string, string>) => void {
  return (files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
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
