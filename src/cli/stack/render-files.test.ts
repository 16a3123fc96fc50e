/** A stack by hand stays in its folder, and what is wrong with it is told before anything is touched. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { renderFiles } from './render-files.ts'

const scratch = mkdtempSync(join(tmpdir(), 'tend-render-'))
const folder = join(scratch, 'shop')
after(() => rmSync(scratch, { recursive: true }))
mkdirSync(join(folder, 'inside'), { recursive: true })
writeFileSync(join(scratch, 'outside.txt'), 'A=1\n')
symlinkSync('../outside.txt', join(folder, 'link.txt'))
symlinkSync('..', join(folder, 'up'))
symlinkSync('inside', join(folder, 'good'))

function problems(yaml: string, more: { readonly allowsOutside?: boolean } = {}): string[] {
  const file = join(folder, 'compose.yaml')
  writeFileSync(file, yaml)
  const none = { envFiles: [], profiles: [], scale: {}, name: undefined, pull: undefined }
  const wishes = { files: [file], folder, usesEnvironment: false, allowsOutside: false, ...none }
  const { rendered } = renderFiles({ ...wishes, ...more }, {})
  return rendered.problems.map(({ at, message, suggestion }) => {
    return `${at?.line} ${message.replaceAll(scratch, '…')}: ${suggestion}`
  })
}

test('no link leads out of the folder, not even to what is not there yet', () => {
  const yaml = `services:
  web:
    image: x
    volumes:
      - ./good:/good
      - ./not-there:/not-there
      - ./link.txt:/link
      - ./up/new:/new
    env_file: link.txt
    configs: [page]
configs: { page: { file: up/outside.txt } }
`
  const advice = 'if that is meant, add --allow-outside'
  const out = (path: string, real: string) =>
    `"…/shop/${path}" is a link to …${real}, which is outside …/shop: ${advice}`
  assert.deepEqual(problems(yaml), [
    `7 ${out('link.txt', '/outside.txt')}`,
    `8 ${out('up/new', '')}`,
    `9 ${out('link.txt', '/outside.txt')}`,
    `11 ${out('up/outside.txt', '/outside.txt')}`,
  ])
  assert.deepEqual(problems(yaml, { allowsOutside: true }), [])
})

test('~ is the home of whoever types, as docker compose has it', () => {
  const yaml = 'services: { web: { image: x, volumes: ["~/data:/data"] } }\n'
  assert.match(problems(yaml).join(), new RegExp(`"${homedir()}/data" is outside`))
})

test('a link in a context that leads out is sent as a link: nothing behind it counts', () => {
  const context = join(folder, 'context')
  mkdirSync(context)
  writeFileSync(join(context, 'Dockerfile'), 'FROM x\n')
  const hash = (target: string): string => {
    rmSync(join(context, 'link'), { force: true })
    symlinkSync(target, join(context, 'link'))
    assert.deepEqual(problems('services: { app: { build: ./context } }\n'), [])
    const file = join(folder, 'compose.yaml')
    const none = { envFiles: [], profiles: [], scale: {}, name: undefined, pull: undefined }
    const wishes = { files: [file], folder, usesEnvironment: false, allowsOutside: false, ...none }
    const app = renderFiles(wishes, {}).rendered.resources.find(({ ref }) => ref.endsWith('app-1'))
    return JSON.stringify(app?.spec)
  }
  const first = hash('../../outside.txt')
  writeFileSync(join(scratch, 'outside.txt'), 'A=2\n')
  assert.equal(hash('../../outside.txt'), first)
  assert.notEqual(hash('/etc'), first)
})

test('a context that is elsewhere or not there, and a variable that nobody set, are told with their place', () => {
  const yaml = `services:
  remote: { build: { context: https://example.com/a.git } }
  missing: { build: ./nowhere }
  web: { image: x, secrets: [token], configs: [unused] }
secrets: { token: { environment: TOKEN } }
configs: { unused: { content: x } }
`
  assert.deepEqual(problems(yaml), [
    "2 a context from elsewhere can't be carried out here: copy it below the project",
    "3 the build's context …/shop/nowhere is no folder: make it, or name the folder that has the Dockerfile",
    '4 secrets.token is the variable TOKEN, which is not set: set TOKEN in .env or another declared env file',
  ])
})

test('what the engine would refuse half-way is told before, from the top of the file', () => {
  const yaml = `services:
  b: { image: x, restart: sometimes }
  a: { image: x, restart: "on-failure:3", use_api_socket: true }
`
  const [first = '', second = '', ...others] = problems(yaml)
  assert.match(first, /^2 restart: sometimes is not known: write no, always, unless-stopped/)
  assert.match(second, /^3 use_api_socket/)
  assert.deepEqual(others, [])
})

test('a pipe and a link that leads to itself are told, and nobody waits', () => {
  execFileSync('mkfifo', [join(folder, 'pipe')])
  symlinkSync('circle', join(folder, 'circle'))
  const withFile = (name: string) =>
    problems(`services:\n  web:\n    image: x\n    env_file: ${name}\n`).join()
  assert.match(withFile('pipe'), /it is a pipe or a device, not a file/)
  assert.match(withFile('circle'), /it is a link that leads to itself/)
})
