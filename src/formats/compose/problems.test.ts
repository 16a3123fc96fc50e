/** What a user reads when something is wrong, and where a value of the model was written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ComposeError } from './compose-error.ts'
import { loadCompose, type Loaded, type LoadOptions } from './load/load.ts'

type Files = Readonly<Record<string, string>>

function load(files: Files, options: Partial<LoadOptions> = {}): Loaded {
  return loadCompose({
    files: {
      read(path) {
        const text = files[path.replace(/^\/srv\/app\//, '')]
        return text === undefined ? undefined : new TextEncoder().encode(text)
      },
      isDirectory: (path) => ['/', '/srv', '/srv/app'].includes(path),
    },
    workingDirectory: '/srv/app',
    configFiles: [],
    envFiles: [],
    environment: {},
    home: '/home/me',
    profiles: [],
    interpolate: true,
    ...options,
  })
}

function problems(files: Files, options: Partial<LoadOptions> = {}): string[] {
  try {
    load(files, options)
  } catch (error) {
    if (error instanceof ComposeError) return error.message.split('\n')
    throw error
  }
  return []
}

test('every unknown key of a file is named, with its line and the word that was meant', () => {
  const text = 'services:\n  web:\n    imge: x\n    deploy:\n      replica: 3\n'
  assert.deepEqual(problems({ 'compose.yaml': text }), [
    '/srv/app/compose.yaml:3:5: services.web has no key "imge"; did you mean "image"?',
    '/srv/app/compose.yaml:5:7: services.web.deploy has no key "replica"; did you mean "replicas"?',
  ])
})

test("a path in somebody's home is that of whoever runs it, and refused where that is nobody", () => {
  const text = 'services:\n  web:\n    image: x\n    volumes: [~/data:/data]\n'
  const { printed } = load({ 'compose.yaml': text })
  assert.match(JSON.stringify(printed), /"source":"\/home\/me\/data"/)
  assert.deepEqual(problems({ 'compose.yaml': text }, { home: undefined }), [
    "/srv/app/compose.yaml:4:15: ~/data begins in somebody's home, and a stack that is followed has nobody's; write the whole path",
  ])
})

test('a mistake in the second file is reported there', () => {
  const files = {
    'compose.yaml': 'services: {web: {image: x}}\n',
    'compose.override.yaml': 'services:\n  web:\n    ports: 80\n',
  }
  assert.deepEqual(problems(files), [
    '/srv/app/compose.override.yaml:3:5: services.web.ports must be a list, not a number',
  ])
})

test('all variables that are missing or unfit are named at once', () => {
  const text =
    'services:\n  web:\n    image: ${IMAGE:?give one}\n    init: ${X:-maybe}\n    scale: "${1}"\n'
  assert.deepEqual(problems({ 'compose.yaml': text }), [
    '/srv/app/compose.yaml:3:5: services.web.image: the variable IMAGE is required but has no value: give one; set IMAGE, or give it a default: ${IMAGE:-…}',
    '/srv/app/compose.yaml:4:5: services.web.init must be true or false, not "maybe"',
    '/srv/app/compose.yaml:5:5: services.web.scale: "${1}" is not a valid substitution; write $$ for a plain dollar sign',
  ])
})

test('names that lead nowhere come with the nearest one that exists', () => {
  const text =
    'services:\n  web: {image: x, depends_on: [dbb], networks: [fron]}\n  db: {image: y}\nnetworks: {front: }\n'
  assert.deepEqual(problems({ 'compose.yaml': text }), [
    '/srv/app/compose.yaml:2:49: services.web: the network "fron" is not defined; did you mean "front"?',
    '/srv/app/compose.yaml:2:32: services.web: it depends on the undefined service "dbb"; did you mean "db"?',
  ])
})

test('circles are told as the way around', () => {
  const depends = 'services:\n  a: {image: x, depends_on: [b]}\n  b: {image: x, depends_on: [a]}\n'
  assert.match(problems({ 'compose.yaml': depends })[0]!, /circle: a → b → a$/)
  const includes = { 'compose.yaml': 'include: [o.yaml]\n', 'o.yaml': 'include: [compose.yaml]\n' }
  assert.match(
    problems(includes)[0]!,
    /^\/srv\/app\/o\.yaml:1:11: files include each other in a circle/,
  )
})

test('a broken .env names its line', () => {
  const files = { 'compose.yaml': 'services: {a: {image: x}}\n', '.env': 'A=1\nB="open\n' }
  assert.deepEqual(problems(files), ['/srv/app/.env:2:1: the quoted value is not closed'])
})

test('the place of a value is where it was written last, through every syntax', () => {
  const files = {
    'compose.yaml':
      'services:\n  web:\n    image: x\n    environment:\n      - A=1\n    ports:\n      - "80:80"\n',
    'compose.override.yaml': 'services:\n  web:\n    image: y\n',
  }
  const { positionOf } = load(files)
  const at = (...path: (string | number)[]) => {
    const position = positionOf(path)
    return position && `${position.file.split('/').at(-1)}:${position.line}:${position.column}`
  }
  assert.equal(at('services', 'web', 'image'), 'compose.override.yaml:3:5')
  assert.equal(at('services', 'web', 'environment', 'A'), 'compose.yaml:5:9')
  assert.equal(at('services', 'web', 'ports', 0, 'target'), 'compose.yaml:7:9')
  assert.equal(at('services', 'nobody'), 'compose.override.yaml:1:1')
  assert.equal(at('nothing'), undefined)
})

test('confined: whatever leads out is refused, all of it at once', () => {
  const text = [
    'services:',
    '  web:',
    '    image: x',
    '    volumes: ["/etc:/x", "../y:/y", "./z:/z", "~/h:/h"]',
    '    build: {context: ., dockerfile: ../Dockerfile}',
    'secrets: {s: {file: /etc/shadow}}',
    'volumes: {v: {driver_opts: {type: none, o: bind, device: /root}}}',
  ].join('\n')
  const found = problems({ 'compose.yaml': text }, { confinedTo: '/srv/app' })
  const outside = found.map((line) => /"(.*)" is outside/.exec(line)?.[1])
  assert.deepEqual(outside, [
    '/etc',
    '/srv/y',
    '/home/me/h',
    '/srv/Dockerfile',
    '/etc/shadow',
    '/root',
  ])
  assert.deepEqual(problems({ 'compose.yaml': text }, {}), [])
})

test('an additional context that is called context does not hide the context itself', () => {
  const text =
    'services: {a: {build: {context: /etc, dockerfile_inline: FROM x, additional_contexts: {context: ./own}}}}\n'
  const found = problems({ 'compose.yaml': text }, { confinedTo: '/srv/app' })
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /\/etc/)
})

test('confined: files outside are not even read', () => {
  const read: string[] = []
  const files = {
    read(path: string) {
      read.push(path)
      return path === '/srv/app/compose.yaml' ? new TextEncoder().encode(text) : undefined
    },
    isDirectory: () => false,
  }
  let text = ''
  for (text of [
    'include: [../x.yaml]\n',
    'include: [/x.yaml]\n',
    'services: {a: {extends: {file: ../x.yaml, service: a}}}\n',
    'services: {a: {image: x, env_file: ../x.env}}\n',
    'services: {a: {image: x, label_file: /x.labels}}\n',
  ]) {
    const options = { files, confinedTo: '/srv/app', configFiles: ['compose.yaml'] }
    assert.match(problems({}, options)[0] ?? '', /is outside \/srv\/app/, text)
  }
  assert.deepEqual(
    read.filter((path) => !path.startsWith('/srv/app/')),
    [],
  )
})

test('remote files are refused in every mode', () => {
  for (const path of [
    'https://example.com/x.git',
    'oci://example.com/x',
    'git@example.com:x/y',
    'github.com/x/y',
  ]) {
    const include = { 'compose.yaml': `include: ["${path}"]\n` }
    assert.match(problems(include)[0]!, /remote files are not loaded/)
    const extend = { 'compose.yaml': `services: {a: {extends: {file: "${path}", service: a}}}\n` }
    assert.match(problems(extend)[0]!, /remote files are not loaded/)
  }
})

test('the contents of configs and secrets come from wherever they are, and secrets are never printed', () => {
  const text = [
    'services: {a: {image: x, configs: [c, d], secrets: [s, f]}}',
    'configs: {c: {content: "one ${A}"}, d: {environment: A}}',
    'secrets: {s: {environment: A}, f: {file: ./f.txt}}',
  ].join('\n')
  const loaded = load(
    { 'compose.yaml': text, 'f.txt': 'from a file' },
    { environment: { A: 'hidden' } },
  )
  const content = (kind: 'configs' | 'secrets', name: string) =>
    new TextDecoder().decode(loaded.contentOf(kind, name))
  assert.equal(content('configs', 'c'), 'one hidden')
  assert.equal(content('configs', 'd'), 'hidden')
  assert.equal(content('secrets', 's'), 'hidden')
  assert.equal(content('secrets', 'f'), 'from a file')
  assert.equal(loaded.contentOf('secrets', 'nobody'), undefined)
  const printed = JSON.stringify({ secrets: loaded.printed.secrets, d: loaded.printed.configs })
  assert.equal(printed.includes('"hidden"'), false)
  const raw = load({ 'compose.yaml': text }, { interpolate: false, environment: { A: 'hidden' } })
  assert.equal(JSON.stringify(raw.printed).includes('hidden'), false)
})

test('no variable of the process is seen unless it is given', () => {
  process.env.COMPOSE_LOADER_TEST = 'leaked'
  const text =
    'services: {a: {image: "x:${COMPOSE_LOADER_TEST:-none}", environment: [COMPOSE_LOADER_TEST]}}\n'
  const { printed } = load({ 'compose.yaml': text })
  delete process.env.COMPOSE_LOADER_TEST
  assert.equal(JSON.stringify(printed).includes('leaked'), false)
})
