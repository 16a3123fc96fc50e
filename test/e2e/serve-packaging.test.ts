/** What packaging/ brings is accepted by those who read it: systemd, the Compose loader, and builders of images. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parse } from '#cli/arguments/parse.ts'
import { required } from '../testbed/packages.ts'

const folder = mkdtempSync(join(tmpdir(), 'tend-packaging-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('systemd accepts the unit', { skip: required('systemd-analyze') }, () => {
  const text = readFileSync('packaging/tend.service', 'utf8')
  const program = /^ExecStart=(\S+) (.*)$/m.exec(text)
  assert.equal(program?.[1], '/usr/local/bin/tend')
  understood(program?.[2] ?? '')
  // systemd looks whether the program is there: here it is not installed
  const unit = join(folder, 'tend.service')
  writeFileSync(
    unit,
    text.replace(/^ExecStart=\S+/m, `ExecStart=${join(process.cwd(), 'bin/tend')}`),
  )
  const checked = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  assert.ok(!checked.stderr.includes('tend.service'), checked.stderr)
  assert.equal(checked.status, 0, checked.stderr)
})

test('systemd rates the unit as hardened', { skip: required('systemd-analyze') }, () => {
  for (const [name, most] of [
    ['tend.service', 35],
    ['own-user.conf', 28],
  ] as const) {
    const unit = join(folder, `${most}`, 'tend.service')
    mkdirSync(join(folder, `${most}`))
    const texts = ['tend.service', ...(name === 'tend.service' ? [] : [name])]
    const text = texts.map((one) => readFileSync(`packaging/${one}`, 'utf8')).join('\n')
    writeFileSync(unit, text.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
    const words = ['security', '--offline=true', `--threshold=${most}`, '--no-pager', unit]
    const rated = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
    assert.equal(
      rated.status,
      0,
      `${name}: ${rated.stdout.trim().split('\n').at(-1)} ${rated.stderr}`,
    )
  }
})

test('our own loader reads compose.yaml, and Tend understands its command', () => {
  cpSync('packaging/compose.yaml', join(folder, 'compose.yaml'))
  mkdirSync(join(folder, 'declarations'))
  writeFileSync(join(folder, 'token'), 'x'.repeat(40))
  const words = ['compose', 'config', '-f', join(folder, 'compose.yaml'), '--format', 'json']
  const env = { PATH: process.env['PATH'], HOME: folder }
  const { stdout, stderr, status } = spawnSync('bin/tend', words, { env, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  const { services } = JSON.parse(stdout)
  const { tend } = services
  understood(tend.command.join(' '))
  assert.equal(tend.user, '0:0')
  const state = tend.volumes.find(({ target }: { target: string }) => target === '/var/lib/tend')
  assert.equal(state.source, tend.environment.TEND_HOME)
  const declared = tend.volumes.find(({ target }: { target: string }) => target === '/etc/tend')
  assert.equal(declared.source, join(folder, 'declarations'))
  assert.deepEqual(tend.ports[0].host_ip, '127.0.0.1')
})

/** `npm run test:release` builds it. */
test('the Containerfile has two stages, and runs what Tend understands, without root', () => {
  const known =
    /^(ARG|FROM|RUN|WORKDIR|COPY|ENV|VOLUME|USER|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD) \S/
  const lines = readFileSync('packaging/Containerfile', 'utf8')
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  for (const line of lines) assert.match(line, known)
  const stages = lines.filter((line) => line.startsWith('FROM'))
  assert.deepEqual(stages, ['FROM ${BASE} AS build', 'FROM scratch'])
  const base = /^ARG BASE=(\S+)$/m.exec(lines.join('\n'))?.[1] ?? ''
  assert.ok(!base.includes('/'), 'no registry is named')
  const last = lines.slice(lines.indexOf('FROM scratch'))
  assert.deepEqual(
    last.filter((line) => /^(COPY|RUN)/.test(line)),
    ['COPY --from=build /image /'],
  )
  assert.ok(last.includes('USER 65532:65532'))
  const exec = (name: string): readonly string[] =>
    JSON.parse(last.find((line) => line.startsWith(`${name} [`))?.slice(name.length) ?? '[]')
  assert.deepEqual(exec('ENTRYPOINT'), ['tend'])
  understood(exec('CMD').join(' '))
  assert.equal(spawnSync('sh', ['-n', 'packaging/image-root']).status, 0)
})

/** Words after `tend`. */
function understood(line: string): void {
  const asked = parse(line.split(' '))
  assert.equal(asked.kind, 'invocation')
}
