/** `tend compose config` prints what docker compose 5.5.1 and 2.40.3 print, to the letter; what is wrong is told all at once. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { composeOracle } from '../testbed/compose-oracle.ts'
import { tendOn } from '../testbed/tend.ts'

const oracles = [composeOracle('5.5.1'), composeOracle('2.40.3')]
const shell = tendOn('/nowhere/docker.sock')
after(() => shell.remove())

shell.write({
  'shop/compose.yaml': `name: shop
x-restart: &restart
  restart: unless-stopped
x-odd: [1, 2.5, true, null, "yes", {b: 1, a: 2}]
services:
  web:
    <<: *restart
    image: example/web:\${TAG:-1}
    command: ["sh", "-c", "echo $$HOME <&> \${FROM_ENV}"]
    environment:
      A10: "ten"
      A9: "nine"
      LINES: "one\\ntwo\\n"
      TAB: "a\\tb"
      DATE: "2020-01-01"
      HASH: "# no comment"
      COLON: "a: b"
      "N": "☃"
      BARE:
    env_file: [{path: web.env, required: false}]
    ports: ["8080:80", "127.0.0.1:53:53/udp"]
    volumes: ["data:/data:ro", "./web:/web", {type: tmpfs, target: /c, tmpfs: {size: 1m}}]
    depends_on: {db: {condition: service_healthy, restart: true}}
    deploy: {replicas: 2, resources: {limits: {cpus: "0.25", memory: 512M}}}
    healthcheck: {test: "true", interval: 1m30s}
    configs: [{source: page, target: /page, mode: 0440}]
    secrets: [token]
    ulimits: {nofile: {soft: 10, hard: 20}, core: {soft: 0, hard: 0}, nproc: 5}
    stop_grace_period: 1m
  db:
    image: example/db
    networks: {back: {aliases: [x], ipv4_address: 172.16.238.10}, default: }
    blkio_config: {weight: 300, device_read_bps: [{path: /dev/sda, rate: 12mb}]}
  debug:
    image: example/debug
    profiles: [debug]
networks: {back: {ipam: {config: [{subnet: 172.16.238.0/24}]}}}
volumes: {data: {driver_opts: {o: 1}}, unused: }
configs: {page: {content: "a\\nb \${TAG:-z} $$"}}
secrets: {token: {environment: FROM_ENV}}
`,
  'shop/web.env': 'FROM_FILE=1\nQUOTED="a b"\n',
  'shop/other.yaml': `services:
  web:
    image: !override example/other
    ports: !reset []
    extra_hosts: ["h:1.2.3.4"]
    labels: [a.b=x, "z=$$y"]
    logging: {driver: json-file, options: {max-size: "10m"}}
`,
  'shop/values.env': 'TAG=7\n',
  'models/compose.yaml': `services: {a: {image: x, models: [m]}}
models: {m: {model: ai/x, context_size: 10, runtime_flags: ["--a"]}, unused: {model: ai/y}}
`,
  'small/compose.yaml': 'services: {one: {build: ., gpus: all, init: true}}\n',
})

const environment = { FROM_ENV: 'it is', HOME: '/nonexistent', DOCKER_CONFIG: '/nonexistent' }

function theirs(oracle: string, line: string): string {
  const env = { ...process.env, ...environment }
  const { stdout, stderr, status } = spawnSync(oracle, line.split(' '), {
    cwd: shell.folder,
    env,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return stdout.trimEnd()
}

const shop = '-f shop/compose.yaml'

for (const [line, same] of [
  [`${shop} config`],
  [`${shop} config --format json`],
  [`${shop} -f shop/other.yaml --env-file shop/values.env -p renamed config`],
  [`${shop} -f shop/other.yaml --profile debug config --format json`],
  [`${shop} --project-directory small config`],
  [`${shop} config --no-interpolate`],
  [`${shop} config --no-interpolate --format json`],
  [`${shop} --profile * config --services`],
  [`${shop} config --hash`, `${shop} config --hash *`],
  ['--project-directory small config'],
  ['-f models/compose.yaml config'],
  ['-f models/compose.yaml config --format json'],
  ['-f small/compose.yaml config --no-path-resolution --no-normalize --no-consistency'],
] as const) {
  for (const { version, path, skip } of oracles) {
    test(`${line}, as ${version}`, { skip }, async () => {
      const asked = `compose ${line} --compose-version ${version}`
      const { code, out, err } = await shell.tend(asked, environment)
      assert.equal(code, 0, err)
      const [ours, reference] = [out.trimEnd(), theirs(path, same ?? line)].map((text) =>
        text.split('\n'),
      )
      // The reference lists services in whatever order its walk of them ends.
      if (line.endsWith('--services')) reference?.sort()
      assert.deepEqual(ours, reference)
    })
  }
}

test('the docker compose of this machine is the one to be like, else 5', async () => {
  const made = async (more: Readonly<Record<string, string>>) => {
    const { code, out, err } = await shell.tend(`compose ${shop} config --format json`, {
      ...environment,
      ...more,
    })
    assert.equal(code, 0, err)
    return out.includes('create_host_path')
  }
  assert.equal(await made({}), false)
  const script = (version: string) =>
    `#!/bin/sh\ntest "$*" = "version --short" && echo ${version}\n`
  const program = 'tools/docker-compose'
  const PATH = `${join(shell.folder, 'tools')}:${process.env['PATH'] ?? ''}`
  shell.write({ [program]: script('2.40.3') })
  chmodSync(join(shell.folder, program), 0o755)
  assert.equal(await made({ PATH }), true)
  assert.equal(await made({ PATH }), true)
  // another program in its place is asked anew
  shell.write({ [program]: script('5.12.0-beta.1') })
  assert.equal(await made({ PATH }), false)
  // one that says nothing counts for none
  shell.write({ [program]: '#!/bin/sh\nexit 1\n' })
  assert.equal(await made({ PATH }), false)
  const wrong = await shell.tend(`compose ${shop} config --compose-version 3.1.0`, environment)
  assert.equal(wrong.code, 2)
  assert.match(wrong.err, /--compose-version "3.1.0" is not known/)
})

test('--quiet only checks', async () => {
  const { code, out, err } = await shell.tend(`compose config ${shop} --quiet`, environment)
  assert.deepEqual([code, out, err], [0, '', ''])
})

test('all that is wrong, with its place and a way out, and exit code 2', async () => {
  shell.write({
    'bad/compose.yaml': `services:
  web:
    imagee: example/web
    ports: [80, "x:y"]
    restart: 5
`,
  })
  const { code, out, err } = await shell.tend('compose -f bad/compose.yaml config')
  assert.equal(code, 2)
  assert.equal(out, '')
  assert.match(err, /✗ bad\/compose\.yaml:3:5 .*imagee.*\n +Suggestion: .*image/)
  assert.match(err, /✗ bad\/compose\.yaml:5:5 /)
  const document = await shell.tend('compose config -f bad/compose.yaml -o json')
  assert.equal(document.code, 2)
  const said: { [key: string]: unknown } = JSON.parse(document.out)
  assert.equal(said['status'], 'refused')
  assert.match(JSON.stringify(said['errors']), /compose_error.*"line":3/)
  const missing = await shell.tend('compose config -f bad/none.yaml')
  assert.equal(missing.code, 2)
  assert.match(missing.err, /✗ bad\/none\.yaml: the file does not exist/)
})

test('a warning goes beside the output', async () => {
  const { code, out, err } = await shell.tend(`compose config ${shop}`, { FROM_ENV: '' })
  assert.equal(code, 0)
  assert.match(out, /^name: shop\n/)
  assert.equal(err, '')
  shell.write({ 'lacking/compose.yaml': 'services: {a: {image: "x:${TAG_OF_NOBODY}"}}\n' })
  const lacking = await shell.tend('compose config -f lacking/compose.yaml')
  assert.match(lacking.err, /^Warning: .*TAG_OF_NOBODY/)
})
