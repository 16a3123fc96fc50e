/** `tend kustomize build` prints like `kustomize build`, and says what is wrong with file and line. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { test, type TestContext } from 'node:test'
import { kubeTool, requiredKube } from '../testbed/kube-tools.ts'
import { tendProgram } from '../testbed/program.ts'

const program = resolve(tendProgram())
const files = {
  'base/kustomization.yaml': `resources: [all.yaml]
configMapGenerator: [{ name: conf, literals: [a=b] }]
`,
  'base/all.yaml': `apiVersion: v1
kind: Service
metadata: { name: web, namespace: a }
spec: { selector: { app: web } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: b }
spec: { template: { spec: { containers: [{ name: c, image: nginx }] } } }
`,
  'shared/extra.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n',
  'overlay/kustomization.yaml': `bases: [../base]
namePrefix: p-
images: [{ name: nginx, newTag: "1.27" }]
`,
  'outside/kustomization.yaml': 'resources: [../shared/extra.yaml]\n',
  'missing/kustomization.yaml': 'namePrefix: a-\nresources:\n- there.yaml\n',
  'remote/kustomization.yaml': 'resources:\n- https://github.com/acme/base//k8s?ref=v1\n',
  'helm/kustomization.yaml': 'helmCharts:\n- name: nginx\n',
}

function folder(context: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'tend-build-'))
  context.after(() => rmSync(made, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(made, path)), { recursive: true })
    writeFileSync(join(made, path), text)
  }
  return made
}

function ran(cwd: string, command: string, words: readonly string[], more: object = {}) {
  const env = { ...process.env, ...more }
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('the same output as kustomize', { skip: requiredKube(['kustomize']) }, (context) => {
  const cwd = folder(context)
  const ways = [
    ['overlay'],
    ['overlay', '--reorder', 'none'],
    ['overlay', '--reorder=legacy'],
    ['outside', '--load-restrictor', 'LoadRestrictionsNone'],
  ]
  for (const words of ways) {
    const expected = ran(cwd, kubeTool('kustomize'), ['build', ...words])
    const actual = ran(cwd, program, ['kustomize', 'build', ...words])
    assert.deepEqual([actual.status, actual.stdout], [0, expected.stdout], words.join(' '))
  }
  assert.match(ran(cwd, program, ['kustomize', 'build', 'overlay']).stderr, /bases.*resources/)
  const here = ran(join(cwd, 'overlay'), program, ['kustomize', 'build'])
  assert.equal(here.stdout, ran(cwd, kubeTool('kustomize'), ['build', 'overlay']).stdout)
})

test('into a file and into a folder', { skip: requiredKube(['kustomize']) }, (context) => {
  const cwd = folder(context)
  for (const [name, command, first] of [
    ['theirs', kubeTool('kustomize'), []],
    ['ours', program, ['kustomize']],
  ] as const) {
    mkdirSync(join(cwd, name))
    assert.equal(ran(cwd, command, [...first, 'build', 'overlay', '-o', name]).status, 0)
    assert.equal(ran(cwd, command, [...first, 'build', 'base', '-o', `${name}.yaml`]).status, 0)
  }
  const names = readdirSync(join(cwd, 'theirs'))
  assert.deepEqual(readdirSync(join(cwd, 'ours')), names)
  const same = (path: string, other: string) =>
    assert.equal(readFileSync(join(cwd, path), 'utf8'), readFileSync(join(cwd, other), 'utf8'))
  for (const name of names) same(`ours/${name}`, `theirs/${name}`)
  same('ours.yaml', 'theirs.yaml')
})

test('what is wrong is told with file and line', (context) => {
  const cwd = folder(context)
  const said = (...words: string[]) => {
    const { status, stdout, stderr } = ran(cwd, program, ['kustomize', 'build', ...words])
    assert.notEqual(status, 0)
    assert.equal(stdout, '')
    return stderr
  }
  assert.match(said('missing'), /missing\/kustomization\.yaml:3:1 .*missing\/there\.yaml/)
  assert.match(said('outside'), /outside\/kustomization\.yaml:1:1 .*outside of/)
  assert.match(said('nowhere'), /nowhere/)
  assert.match(said('overlay', '--reorder', 'sideways'), /--reorder/)
})

test('what this builder does not do goes to the program that is named, else it is refused', (context) => {
  const cwd = folder(context)
  for (const [name, flag, way] of [
    ['remote', '', 'TEND_REMOTE_BASES'],
    ['helm', ' --enable-helm', 'TEND_KUSTOMIZE'],
  ] as const) {
    const alone = ran(cwd, program, ['kustomize', 'build', name], { TEND_KUSTOMIZE: '' })
    assert.equal(alone.status, 2)
    assert.match(alone.stderr, new RegExp(`${name}/kustomization.yaml:2:1 .*${way}`, 's'))
    const given = ran(cwd, program, ['kustomize', 'build', name], { TEND_KUSTOMIZE: 'echo' })
    assert.equal(
      given.stdout,
      `build ${name} --load-restrictor LoadRestrictionsRootOnly${flag}\n`,
      given.stderr,
    )
  }
})
