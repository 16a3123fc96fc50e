/** On a terminal: colours, a line that tells what is waited for, questions before data goes. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, test } from 'node:test'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'

const skip = required('podman')

const chart = {
  'slow/Chart.yaml': 'name: slow\nversion: 1.0.0\n',
  'slow/templates/one.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata:
  name: one
spec:
  image: ${busybox}
  command: ["/bin/sh", "-c", "sleep 2; touch /tmp/ok; sleep 1000"]
  health:
    type: exec
    command: ["/bin/sh", "-c", "test -e /tmp/ok || { echo not ready yet; exit 1; }"]
    intervalSeconds: 1
    startPeriodSeconds: 30
    retries: 100
  stopTimeoutSeconds: 0
---
apiVersion: cutepod/v1alpha0
kind: CuteVolume
metadata:
  name: data
spec:
  type: volume
`,
}

test('a terminal', { skip }, async (t) => {
  let podman: TestPodman
  let shell: Tend
  before(async () => {
    podman = await startPodman()
    await addImage(podman.socket)
    shell = tendOn(podman.socket)
    shell.write(chart)
  })
  after(async () => {
    await podman.stop()
    shell.remove()
  })

  /** `script` gives the program a terminal of its own. */
  function onTerminal(line: string, answer: string, more: Record<string, string> = {}) {
    const own = { TEND_HOME: `${shell.folder}/home`, CONTAINER_HOST: `unix://${podman.socket}` }
    const env = { ...process.env, ...own, TERM: 'xterm', ...more }
    const command = `${process.cwd()}/bin/tend ${line}`
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: shell.folder, env })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      out += part
      if (part.includes('[y/N]')) child.stdin.write(`${answer}\n`)
    })
    return new Promise<{ readonly code: number | null; readonly out: string }>((done, fail) => {
      child.on('error', fail)
      child.on('close', (code) => done({ code, out }))
    })
  }

  await t.test('tells what it waits for, and leaves no trace of it', async () => {
    const { code, out } = await onTerminal('install ./slow', '')
    assert.equal(code, 0, out)
    assert.match(out, /⠋|⠙|⠹/)
    assert.match(out, /one +its health check failed/)
    assert.ok(out.includes('\u001b[32m✓\u001b[39m one                created'), out)
    const end = out.slice(out.lastIndexOf('\u001b[0J'))
    assert.match(end, /Reconciling Resources/)
  })

  await t.test('no colours when nobody wants them', async () => {
    const { out } = await onTerminal('status slow', '', { NO_COLOR: '1' })
    assert.ok(!out.includes('\u001b['), JSON.stringify(out))
  })

  await t.test('asks before data goes', async () => {
    const no = await onTerminal('uninstall slow --prune-volumes', 'n')
    assert.equal(no.code, 1)
    assert.match(no.out, /This removes the data of volume data\. Go on\?/)
    assert.match(no.out, /Nothing was changed\./)
    const yes = await onTerminal('uninstall slow --prune-volumes', 'y')
    assert.equal(yes.code, 0, yes.out)
    assert.match(yes.out, /data +deleted/)
  })
})
