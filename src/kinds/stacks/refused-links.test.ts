/** Links that lead out of a repository are refused with the line of the Compose file that asks for them. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { denyAll } from '#model/policy.ts'
import { placeText, Problem } from '#model/problem.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import { snapshotOf } from '#sources/snapshot-files.ts'
import { renderStackRequest } from './render.ts'

/** What is told of a stack with this file and these links: rendered, and its files laid down. */
async function told(t: TestContext, text: string, links: readonly string[]): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'tend-links-'))
  t.after(() => rmSync(scratch, { recursive: true, force: true }))
  const folder = join(scratch, 'snapshot')
  const put = (path: string, write: (full: string) => void): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    write(join(folder, path))
  }
  put('web/compose.yaml', (full) => writeFileSync(full, text))
  put('web/Dockerfile', (full) => writeFileSync(full, 'FROM x\n'))
  for (const link of links) put(`web/${link}`, (full) => symlinkSync('/etc/passwd', full))
  const files = { folder, revision: 'r', root: 'repository', omitted: [] }
  const bindFiles = bindFilesIn(join(scratch, 'files'))
  try {
    const { problems, placed } = await renderStackRequest({
      files,
      bindFiles,
      application: { kind: 'stack', namespace: null, name: 'web' },
      seed: new Uint8Array(32),
      path: 'web',
      composeFiles: [],
      profiles: [],
      values: {},
      security: denyAll,
      root: '/repository',
      isDirectory: false,
      sharesFiles: true,
      startedBy: {},
      composeVersion: undefined,
      ageKeys: [],
    })
    await bindFiles.lay(placed, snapshotOf(files), t.signal)
    return problems.map(({ at, message }) => `${at && placeText(at)} ${message}`).join('\n')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return `${error.at && placeText(error.at)} ${error.message}`
  }
}

function service(more: string): string {
  return `services:\n  web:\n    image: x\n    ${more}\n`
}

const cases: Readonly<Record<string, readonly [text: string, line: number, link: string]>> = {
  'a bind': [service('volumes: ["./link:/x"]'), 4, 'link'],
  'a bind that is only read': [
    service('volumes: ["a:/a", "./link:/x:ro"]\nvolumes: { a: {} }'),
    4,
    'link',
  ],
  'a file in a folder that is bound': [service('volumes: ["./conf:/x:ro"]'), 4, 'conf/link'],
  'the same, writable': [service('volumes:\n      - ./conf:/x'), 5, 'conf/link'],
  'rules of a build': ['services:\n  web:\n    build: .\n', 3, '.dockerignore'],
  'a context': ['services:\n  web:\n    build: { context: ./link }\n', 3, 'link'],
  'an env file': [service('env_file: link'), 4, 'link'],
  'a secret': [`${service('secrets: [s]')}secrets: { s: { file: link } }\n`, 5, 'link'],
  'variables of the project': [service('command: "${A:-x}"'), 1, '.env'],
}

for (const [name, [text, line, link]] of Object.entries(cases)) {
  test(`${name}: the line is told`, async (t) => {
    const said = await told(t, text, [link])
    const words = `^web/compose\\.yaml:${line}:\\d+ .*web/${link.replace('.', '\\.')} is a link to /etc/passwd`
    assert.match(said, new RegExp(words))
    assert.ok(!said.includes(tmpdir()), "where the files lie on this machine is nobody's concern")
  })
}
