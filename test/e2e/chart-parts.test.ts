/** What Helm's users have in a chart, on a real Podman: the starter, subcharts, schemas, files, notes, what a release is. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'

const skip = required('podman')

function container(name: string, spec: string): string {
  const lines = spec.replace(/^(?=.)/gm, '  ')
  return `apiVersion: cutepod/v1alpha0\nkind: CuteContainer\nmetadata:\n  name: ${name}\nspec:\n  image: ${busybox}\n${lines}\n`
}

test("a chart with Helm's parts", { skip }, async (t) => {
  let service: TestPodman
  let shell: Tend
  before(async () => {
    service = await startPodman()
    await addImage(service.socket)
    shell = tendOn(service.socket)
  })
  after(async () => {
    shell.remove()
    await service.stop()
  })
  const podman = (...words: string[]) => {
    const { stdout, stderr, status } = spawnSync(service.command, words, { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    return stdout.trim()
  }

  await t.test('tend create writes one that installs as it is, and tells its notes', async () => {
    await addImage(service.socket, 'docker.io/library/busybox:1.36')
    const made = await shell.tend('create first')
    assert.equal(made.code, 0, made.err)
    assert.equal((await shell.tend('lint ./first')).out, './first: 1 resource, no problems\n')
    const port = await freePort()
    const { code, out, err } = await shell.tend(`install ./first --set port=${port}`)
    assert.equal(code, 0, out + err)
    assert.match(
      out,
      new RegExp(`\\n\\nNOTES:\\nHello from first\\n\\n  curl http://127.0.0.1:${port}/\\n$`),
    )
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'Hello from first\n')
    const again = await shell.tend('create first')
    assert.equal(again.code, 2)
    const wrong = await shell.tend('upgrade ./first --set port=high')
    assert.equal(wrong.code, 2)
    assert.match(wrong.out, /✗ --set: port: expected an integer, found a string/)
    const document = JSON.parse((await shell.tend('upgrade ./first -o json')).out)
    assert.match(document.notes, /^Hello from first/)
    assert.equal((await shell.tend('uninstall first')).code, 0)
  })

  await t.test(
    'subcharts run with their values, under two names, and go when they are switched off',
    async () => {
      shell.write({
        'shop/Chart.yaml':
          'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies:\n  - {name: db, version: 1.x, alias: one}\n  - {name: db, version: 1.x, alias: two, condition: two.enabled}\n',
        'shop/values.yaml': 'global: {zone: blue}\none: {word: uno}\n',
        'shop/conf/motd': 'from a file\n',
        'shop/templates/web.yaml': container(
          'web',
          'command: [sleep, "1000"]\nstopTimeoutSeconds: 1\nenv:\n  - {name: MOTD, value: {{ .Files.Get "conf/motd" | trim | quote }}}\n  - {name: REVISION, value: "{{ .Release.IsInstall }} {{ .Release.Revision }}"}',
        ),
        'shop/charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.1.0\n',
        'shop/charts/db/values.yaml': 'word: none\nenabled: true\n',
        'shop/charts/db/templates/db.yaml': container(
          '{{ .Release.Name }}-{{ .Chart.Name }}',
          'command: [sleep, "1000"]\nstopTimeoutSeconds: 1\nenv:\n  - {name: WORD, value: "{{ .Values.word }} {{ .Values.global.zone }}"}',
        ),
      })
      const env = (name: string) => podman('inspect', '-f', '{{json .Config.Env}}', name)
      const first = await shell.tend('install ./shop')
      assert.equal(first.code, 0, first.out + first.err)
      assert.match(env('shop-one'), /"WORD=uno blue"/)
      assert.match(env('shop-two'), /"WORD=none blue"/)
      assert.match(
        env('web'),
        /"MOTD=from a file".*"REVISION=true 1"|"REVISION=true 1".*"MOTD=from a file"/,
      )
      const same = await shell.tend('upgrade shop')
      assert.match(same.out, /unchanged/)
      assert.match(env('web'), /"REVISION=true 1"/)
      const off = await shell.tend('upgrade shop --set two.enabled=false')
      assert.equal(off.code, 0, off.out + off.err)
      assert.match(env('web'), /"REVISION=false 2"/)
      assert.doesNotMatch(podman('ps', '--format', '{{.Names}}'), /shop-two/)
      rmSync(join(shell.folder, 'shop/charts'), { recursive: true })
      const gone = await shell.tend('upgrade shop')
      assert.equal(gone.code, 2)
      assert.match(gone.out, /✗ Chart\.yaml:5:5 +the dependency db is not in charts\/db/)
      assert.match(podman('ps', '--format', '{{.Names}}'), /shop-one/)
    },
  )
})

test('charts of registries, repositories and archives are refused with a sentence', async () => {
  const shell = tendOn('/nowhere/podman.sock')
  try {
    for (const word of [
      'oci://registry.example.org/shop',
      'https://example.org/shop-1.0.0.tgz',
      'stable/shop',
    ]) {
      const { code, err } = await shell.tend(`install ${word}`)
      assert.equal(code, 2, word)
      assert.match(err, /not fetched/)
      assert.match(err, /Suggestion: fetch it first: helm pull .* --untar, then use \.\/shop\n/)
    }
    shell.write({ 'shop-1.0.0.tgz': 'x' })
    assert.match(
      (await shell.tend('lint ./shop-1.0.0.tgz')).err,
      /a packed chart, and is not unpacked/,
    )
  } finally {
    shell.remove()
  }
})

test('template prints what it could, with the error at the place', async () => {
  const shell = tendOn('/nowhere/podman.sock')
  try {
    shell.write({
      'shop/Chart.yaml': 'name: shop\nversion: 1.0.0\n',
      'shop/values.yaml': 'password: hunter22\n',
      'shop/templates/_h.tpl': '{{ define "x" }}{{ .Values.a.b }}{{ end }}',
      'shop/templates/a.yaml': `${container('a', 'args: [{{ include "x" . }}]')}`,
      'shop/templates/b.yaml': container('b', 'args: []'),
      'shop/templates/c.yaml': container('c', 'hostname: {{ .Values.host }}\nargs: []'),
    })
    const { code, out, err } = await shell.tend('template ./shop --debug')
    assert.equal(code, 2)
    assert.match(
      out,
      /^---\n# Source: templates\/a\.yaml\napiVersion: .*\n  args: \[\n# ✗ templates\/_h\.tpl:1:\d+ /s,
    )
    assert.match(
      out,
      /\(called by include "x" \. at templates\/a\.yaml:7:13\)\n---\n# Source: templates\/b\.yaml\n/,
    )
    assert.match(
      out,
      /hostname: <no value>\n# ✗ templates\/c\.yaml:7:13 \.Values\.host is not set\n  args/,
    )
    assert.match(err, /# Values that templates saw:\npassword: "\*+"\n/)
    assert.match(err, /✗ templates\/_h\.tpl:1:\d+ /)
  } finally {
    shell.remove()
  }
})
