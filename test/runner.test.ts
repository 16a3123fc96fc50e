/** `npm test` itself: what it prints of a failure repeats it, and what has to be built is built beside the tests that do not need it. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openGauge } from './runner/gauge.ts'
import { needsOf } from './runner/needs.ts'

/** A checkout that has only these test files; `run` is `npm test` in it. */
function checkout(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'tend-runner-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const program = resolve('test/run.ts')
  const cache = join(folder, 'cache')
  const run = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...words], {
      cwd: folder,
      env: { ...process.env, XDG_CACHE_HOME: cache, CI: '', ...environment },
      encoding: 'utf8',
    })
    return { status, text: stdout + stderr, last: stdout.trimEnd().split('\n').at(-1) }
  }
  return { folder, cache, run }
}

test('the line under a failure repeats that test alone', (t) => {
  const { run } = checkout(t, {
    'test/bad.test.ts': `import { test } from 'node:test'
test("it's (wrong)", async (t) => {
  await t.test('part', () => { throw new Error('no') })
})
test('right', () => {})`,
    'test/suite.ts': `import { test } from 'node:test'
export const suite = () => test('shared', () => { throw new Error('no') })`,
    'test/uses.test.ts': `import { suite } from './suite.ts'
suite()`,
    'test/ends.test.ts': `import { test } from 'node:test'
test('never told', () => process.exit(3))`,
    'src/good.test.ts': `import { test } from 'node:test'
test('good', () => {})
test('later', { skip: 'not here' }, () => {})`,
  })
  const all = run([])
  assert.equal(all.status, 1)
  assert.equal(all.last, '2 passed, 4 failed, 1 skipped', all.text)
  assert.match(all.text, /part {2}\(test\/bad\.test\.ts:3\)/)
  const line = `npm test -- test/bad.test.ts --name 'it'\\''s (wrong)'`
  assert.ok(all.text.includes(line), all.text)
  assert.match(
    all.text,
    /shared {2}\(test\/suite\.ts:2\)\n +npm test -- test\/uses\.test\.ts --name 'shared'/,
  )
  assert.match(
    all.text,
    /its process ended with 3 .*\n +npm test -- test\/ends\.test\.ts --built\n/,
  )

  const again = run(['test/bad.test.ts', '--name', "it's (wrong)"])
  assert.equal(again.last, '0 passed, 2 failed', again.text)
  assert.equal(run(['nowhere']).status, 1)
  assert.equal(run(['good']).last, '1 passed, 0 failed, 1 skipped')
})

test('a file that failed beside others is run once more, alone, and that is told', (t) => {
  const file = (name: string, body: string): string => `import { test } from 'node:test'
import { existsSync, writeFileSync } from 'node:fs'
test('${name}', () => { ${body} })`
  const stumbles = `if (existsSync('mark')) return; writeFileSync('mark', ''); throw new Error('busy')`
  const good = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [`test/${name}.test.ts`, file(name, '')]),
  )
  const once = checkout(t, { ...good, 'test/e.test.ts': file('stumbles', stumbles) }).run([])
  assert.equal(once.last, '5 passed, 0 failed', once.text)
  assert.equal(once.status, 0)
  assert.match(once.text, /busy/)
  assert.match(once.text, /passed alone:\n {2}test\/e\.test\.ts: stumbles\n/)

  const bad = checkout(t, { ...good, 'test/e.test.ts': file('bad', `throw new Error('no')`) })
  const twice = bad.run([])
  assert.equal(twice.last, '4 passed, 1 failed', twice.text)
  assert.equal(twice.status, 1)
  assert.doesNotMatch(twice.text, /passed alone/)

  const many = Object.fromEntries(
    ['e', 'f', 'g', 'h', 'i', 'j'].map((name) => [
      `test/${name}.test.ts`,
      file(name, stumbles.replaceAll('mark', `mark-${name}`)),
    ]),
  )
  const whole = checkout(t, { ...good, ...many }).run([])
  assert.equal(whole.last, '4 passed, 6 failed', whole.text)
})

const goInstead = `#!/bin/sh
# stands for go: it builds nothing until both tests have run that need nothing
case $1 in
  mod) printf '{\\n\\t"Dir": "%s"\\n}\\n' "$PWD_OF_MODULE" ;;
  list) echo fmt; echo main ;;
  build)
    echo main >&2
    until test -e "$MARK-first" -a -e "$MARK-fourth"; do sleep 0.05; done
    for word; do case $word in */out/) printf '#!/bin/sh\\n' > "$word/kustomize" ;; esac; done
    ;;
esac
`

test('what is missing is built beside the tests that do not need it', { timeout: 60_000 }, (t) => {
  const { folder, cache, run } = checkout(t, {
    'test/first.test.ts': `import { test } from 'node:test'
import { writeFileSync } from 'node:fs'
test('needs nothing', () => writeFileSync(process.env.MARK + '-first', ''))`,
    'test/second.test.ts': `import { test } from 'node:test'
import { existsSync } from 'node:fs'
import assert from 'node:assert'
// requiredKube(['kustomize'])
test('needs a tool', () => assert.ok(existsSync(process.env.TOOL)))`,
    'src/third.test.ts': `import { test } from 'node:test'
import { existsSync } from 'node:fs'
import assert from 'node:assert'
// requiredKube(['kustomize'])
test('needs a tool, beside the code', () => assert.ok(existsSync(process.env.TOOL)))`,
    'src/fourth.test.ts': `import { test } from 'node:test'
import { existsSync, writeFileSync } from 'node:fs'
import assert from 'node:assert'
test('waits for nobody', () => {
  assert.ok(!existsSync(process.env.TOOL))
  writeFileSync(process.env.MARK + '-fourth', '')
})`,
    'bin/go': goInstead,
    'module/go.mod': 'module m\n',
  })
  chmodSync(join(folder, 'bin/go'), 0o755)
  const tool = join(cache, 'tend-testbed', 'kustomize-v5.8.1')
  const environment = {
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    PWD_OF_MODULE: join(folder, 'module'),
    MARK: join(folder, 'mark'),
    TOOL: tool,
  }
  const { text, last } = run([], environment)
  assert.equal(last, '4 passed, 0 failed', text)
  assert.ok(existsSync(tool))
  assert.match(text, /building kustomize, once/)
  assert.match(text, /built kustomize in \d+s/)
})

test('whoever waited for a tool that another run made builds nothing', async (t) => {
  const { folder, cache } = checkout(t, { 'bin/go': '#!/bin/sh\ntouch "$MARK"; exit 1\n' })
  chmodSync(join(folder, 'bin/go'), 0o755)
  const place = join(cache, 'tend-testbed')
  mkdirSync(place, { recursive: true })
  const env = {
    ...process.env,
    XDG_CACHE_HOME: cache,
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    MARK: join(folder, 'mark'),
  }
  const lock = join(place, 'kube-tools.lock')
  const other = spawn('flock', [lock, 'sh', '-c', 'echo held; read line'], { stdio: 'pipe' })
  t.after(() => other.kill())
  await once(other.stdout, 'data')
  const late = spawn(process.execPath, ['test/testbed/go-tools.ts', 'kustomize'], { env })
  // it saw that the tool is missing, and waits
  await once(late.stdout, 'data')
  writeFileSync(join(place, 'kustomize-v5.8.1'), '', { mode: 0o755 })
  other.stdin.end()
  assert.deepEqual(await once(late, 'close'), [0, null])
  assert.ok(!existsSync(env.MARK))
})

test('what a file needs is read from what it imports', () => {
  const flux = needsOf('test/e2e/flux-road.test.ts')
  assert.ok(flux.tools.has('flux') && flux.tools.has('kube-apiserver') && flux.programs.has('etcd'))
  const real = needsOf('test/e2e/fleet-acceptance.test.ts')
  assert.ok(real.tools.has('kind') && !real.tools.has('flux'))
  const stack = needsOf('test/e2e/stack-same-hash.test.ts')
  assert.deepEqual([...stack.tools], ['docker-compose-5.5.1', 'docker-compose-2.40.3'])
  assert.equal(needsOf('test/e2e/stack-first.test.ts').tools.size, 0)
})

test('further files are started only while processors idle and there is memory', () => {
  let readings = { now: 0, idle: 0, all: 0, memory: 2 ** 34 }
  const gauge = openGauge(() => readings)
  const after = (milliseconds: number, idle: number, memory = 2 ** 34): boolean => {
    readings = {
      now: readings.now + milliseconds,
      idle: readings.idle + 2 * milliseconds * idle,
      all: readings.all + 2 * milliseconds,
      memory,
    }
    return gauge.hasRoom()
  }
  assert.equal(after(1_000, 1), false, 'too soon to tell')
  assert.equal(after(1_000, 1), true)
  assert.equal(after(4_000, 0.05), false, 'busy')
  assert.equal(after(4_000, 0.5, 2 ** 30), false, 'no memory')
  assert.equal(after(4_000, 0.5), true)
  gauge.started()
  assert.equal(after(1_000, 1), false, 'what was started does not show yet')
})
