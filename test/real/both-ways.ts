/**
 * Stacks that people wrote, in folders of this machine (`TEND_STACKS=FOLDER[:FOLDER…]`), both ways: what Tend made docker compose leaves
 * alone, and what docker compose made Tend takes over as it is. Every image is one that sleeps, under the name that the file has; what is built is
 * built from that one.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { composeNames } from '#domains/stacks/compose-names.ts'
import { composeOracle, runCompose } from '../testbed/compose-oracle.ts'
import { startDocker, type TestDocker } from '../testbed/docker.ts'
import { busybox } from '../testbed/image.ts'
import { tendOn, type Tend, type Told } from '../testbed/tend.ts'

const roots = (process.env['TEND_STACKS'] ?? '').split(':').filter((root) => root !== '')
const oracles = [composeOracle('5.5.1'), composeOracle('2.40.3')]
const sleeper = 'localhost/tend/sleeper:1'
/** Asked by health checks of databases and the like. */
const checkers = 'curl mysqladmin mariadb-admin pg_isready redis-cli mongosh mongo nc wget'.split(
  ' ',
)
const users = 'postgres mysql node www-data redis elasticsearch'.split(' ')
let engine: TestDocker
let shell: Tend

before(async () => {
  assert.ok(roots.length > 0, 'say where they are: TEND_STACKS=FOLDER')
  engine = await startDocker()
  await engine.addImage()
  shell = tendOn(engine.socket)
  const folder = join(engine.root, 'sleeper')
  mkdirSync(folder)
  const fakes = checkers.map((name) => `ln -s yes /bin/${name}`).join(' && ')
  const script = "printf '#!/bin/sh\\nexit 0\\n' > /bin/yes && chmod 755 /bin/yes"
  const entry = '["/bin/sh", "-c", "sleep 1000", "--"]'
  const passwd = users.map((name) => `${name}:x:1000:1000::/:/bin/sh`).join('\\n')
  const lines = [
    `FROM ${busybox}`,
    `RUN rm -f /bin/yes ${checkers.map((name) => `/bin/${name}`).join(' ')} && ${script} && ${fakes}`,
    `RUN printf '${passwd}\\n' >> /etc/passwd`,
    `ENTRYPOINT ${entry}`,
    'CMD []',
  ]
  writeFileSync(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`)
  docker('build', '-q', '-t', sleeper, folder)
})

after(async () => {
  shell.remove()
  await engine.stop()
})

function docker(...words: readonly string[]): string {
  const ended = spawnSync('docker', ['-H', `unix://${engine.socket}`, ...words], {
    encoding: 'utf8',
    env: { ...process.env, DOCKER_BUILDKIT: '0' },
  })
  assert.equal(ended.status, 0, `${words.join(' ')}\n${ended.stderr}`)
  return ended.stdout.trim()
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  const own = composeNames.find((name) => entries.some((entry) => entry.name === name))
  const below = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  const inner = below.flatMap(({ name }) => filesBelow(join(folder, name)))
  return own === undefined ? inner : [join(folder, own), ...inner]
}

/** A copy of its folder in which every Dockerfile makes the image that sleeps, under all names that its stages had. */
function copied(file: string): string {
  const folder = join(shell.folder, 'stacks', basename(dirname(file)))
  cpSync(dirname(file), folder, { recursive: true })
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/dockerfile/i.test(entry.name) || entry.name.startsWith('.')) continue
    const path = join(entry.parentPath, entry.name)
    const stages = readFileSync(path, 'utf8').matchAll(/^FROM .* AS (\S+)/gim)
    const names = [...stages].map(([, name = '']) => `FROM ${sleeper} AS ${name}\n`)
    writeFileSync(path, `${names.join('')}FROM ${sleeper}\n`)
  }
  return join(folder, basename(file))
}

function ids(project: string): string {
  const label = `label=com.docker.compose.project=${project}`
  return docker('ps', '-aq', '--no-trunc', '--filter', label).split('\n').toSorted().join('\n')
}

for (const oracle of oracles) {
  for (const original of roots.flatMap(filesBelow)) {
    const title = `${basename(dirname(original))}, beside docker compose ${oracle.version}`
    void test(title, { skip: oracle.skip, timeout: 300_000 }, async (t) => {
      const file = copied(original)
      const cwd = dirname(file)
      const env = {
        PATH: process.env['PATH'],
        HOME: shell.folder,
        DOCKER_HOST: `unix://${engine.socket}`,
      }
      const compose = (...words: readonly string[]): string => {
        const { status, stdout, stderr } = runCompose(oracle, ['-f', file, ...words], { cwd, env })
        assert.equal(status, 0, `${words.join(' ')}\n${stderr}`)
        return stdout
      }
      const tend = async (words: string): Promise<Told> => {
        const told = await shell.tend(`${words} -f ${file}`, {
          PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
          HOME: shell.folder,
        })
        assert.equal(told.code, 0, `${words}\n${told.out}${told.err}`)
        return told
      }
      const images = compose('config', '--images').trim().split('\n')
      for (const image of images) docker('tag', sleeper, image)
      const project = JSON.parse(compose('config', '--format', 'json')).name
      t.after(() => {
        runCompose(oracle, ['-f', file, 'down', '-v', '-t', '0'], { cwd, env })
      })
      const up = `up --wait=false --compose-version ${oracle.version} --allow-outside`
      await tend(up)
      const ours = ids(project)
      assert.notEqual(ours, '')
      compose('up', '-d', '--no-build')
      assert.equal(ids(project), ours, 'docker compose recreates nothing of ours')
      compose('down', '-v', '-t', '0')
      await tend('down --volumes --yes')

      compose('up', '-d', '--no-build')
      const theirs = ids(project)
      const taken = await tend(`${up} --adopt`)
      assert.equal(ids(project), theirs, `we recreate nothing of theirs\n${taken.err}`)
      await tend('down --volumes --yes')
    })
  }
}
