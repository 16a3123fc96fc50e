/** What needs no Podman: wrong usage, documents on failure, completions in a real shell, the unit under systemd's eyes. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { required } from '../testbed/packages.ts'
import { tendOn } from '../testbed/tend.ts'

const shell = tendOn('/nowhere/podman.sock')
after(() => shell.remove())
shell.write({
  'shop/Chart.yaml': 'name: shop\nversion: 1.0.0\n',
  'shop/templates/n.yaml':
    'apiVersion: cutepod/v1alpha0\nkind: CuteNetwork\nmetadata:\n  name: n\nspec:\n  driver: bridge\n',
})

test('wrong usage says what was meant, on stderr, with exit code 2', async () => {
  const { code, out, err } = await shell.tend('instal ./shop')
  assert.equal(code, 2)
  assert.equal(out, '')
  assert.equal(err, '✗ unknown verb "instal"\n    Suggestion: did you mean install?\n')
})

test('with -o json stdout is one document whatever happens', async () => {
  for (const line of [
    'install ./shop --dryrun -o json',
    'install ./none -o json',
    'status x -o json',
  ]) {
    const { code, out } = await shell.tend(line)
    assert.equal(code, 2, line)
    const document: { [key: string]: unknown } = JSON.parse(out)
    assert.equal(document['status'], 'refused', line)
  }
  const unreachable = await shell.tend('install ./shop -o json --timeout 1s')
  assert.equal(unreachable.code, 1)
  const document: { [key: string]: unknown } = JSON.parse(unreachable.out)
  assert.equal(document['status'], 'failed')
  assert.match(JSON.stringify(document['errors']), /podman_api.*unreachable/)
})

test('a chart that can not be read is the first thing to know, Podman or not', async () => {
  shell.write({
    'broken/Chart.yaml': 'name: broken\nversion: 1.0.0\n',
    'broken/templates/a.yaml': 'kind: {{ .Values.kind }\n',
  })
  const lonely = { CONTAINER_HOST: '', PODMAN_SOCK: '', XDG_RUNTIME_DIR: '/nowhere' }
  const { code, out } = await shell.tend('install ./broken', lonely)
  assert.equal(code, 2, out)
  assert.match(out, /✗ templates\/a\.yaml:1:\d+ /)
  assert.match(out, /\nNothing was changed\.\n$/)
})

test('lint, template and schema need no Podman and leave nothing behind', async () => {
  assert.equal((await shell.tend('lint ./shop')).out, './shop: 1 resource, no problems\n')
  assert.match((await shell.tend('template ./shop')).out, /^---\n# Source: templates\/n\.yaml\n/)
  const schema = await shell.tend('schema CuteNetwork')
  assert.match(JSON.stringify(JSON.parse(schema.out)), /driver/)
})

test('help and version', async () => {
  assert.match((await shell.tend('--help')).out, /^Tend keeps running things as they were declared/)
  assert.match((await shell.tend('install --help')).out, /--prune-volumes/)
  assert.match((await shell.tend('--version')).out, /^tend \d+\.\d+\.\d+\n$/)
})

test('a version may be a document too', async () => {
  const { version } = JSON.parse((await shell.tend('version -o json')).out)
  assert.match(version, /^\d+\.\d+\.\d+$/)
})

test('inside the folder of a chart no path is needed', async () => {
  const inside = spawnSync(`${process.cwd()}/bin/tend`, ['lint'], {
    cwd: `${shell.folder}/shop`,
    encoding: 'utf8',
  })
  assert.equal(inside.stdout, '.: 1 resource, no problems\n', inside.stderr)
})

test('bash completes verbs and flags', async () => {
  const script = (await shell.tend('completion bash')).out
  const asked = `${script}
COMP_WORDS=(${process.cwd()}/bin/tend install --dry) COMP_CWORD=2; _tend; echo "\${COMPREPLY[@]}"
COMP_WORDS=(${process.cwd()}/bin/tend hist) COMP_CWORD=1; _tend; echo "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', asked], { encoding: 'utf8' })
  assert.equal(stdout, '--dry-run\nhistory\n', stderr)
})

test('systemd accepts the unit', { skip: required('systemd-analyze') }, async () => {
  const { out } = await shell.tend('reinit --install --print')
  shell.write({ 'tend-reinit.service': out })
  const unit = `${shell.folder}/tend-reinit.service`
  const checked = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  assert.ok(!checked.stderr.includes('tend-reinit.service'), checked.stderr)
  assert.equal(checked.status, 0, checked.stderr)
})
