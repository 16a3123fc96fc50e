import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confinedWorkingDirectory } from './working-directory.ts'

type Job = Parameters<typeof confinedWorkingDirectory>[0]

/** A job with one image, whose working directory is given. */
function jobWith(workingDirectory: string, confinement: object | undefined): Job {
  const job: object = {
    engine: { inspectImage: () => Promise.resolve({ workingDirectory }) },
    confinement,
    context: { signal: new AbortController().signal },
  }
  return job as Job
}

test('Podman is given a working directory below /proc, whatever the image or the file writes', async () => {
  const cases = [
    ['/srv/data', undefined, '/proc/self/root/srv/data'],
    ['/srv', '/app/', '/proc/self/root/app/'],
    ['app', undefined, '/proc/self/root/app'],
    // dots would lead out of /proc in the path that Podman reads
    ['/../../../../x', undefined, '/proc/self/root/x'],
    ['', '../../x/./y/..', '/proc/self/root/x'],
    ['', undefined, '/'],
    ['/', undefined, '/'],
  ] as const
  for (const [ofImage, declared, expected] of cases)
    assert.equal(await confinedWorkingDirectory(jobWith(ofImage, {}), 'i', declared), expected)
})

test('what is run by hand keeps the engine’s own way', async () => {
  assert.equal(await confinedWorkingDirectory(jobWith('/srv', undefined), 'i', '/x'), '/x')
  assert.equal(
    await confinedWorkingDirectory(jobWith('/srv', undefined), 'i', undefined),
    undefined,
  )
})
