import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { installedCompose } from './installed-compose.ts'

const folder = mkdtempSync(join(tmpdir(), 'tend-compose-'))
after(() => rmSync(folder, { recursive: true }))

test('a folder of the PATH that can not be looked into holds nothing up', async () => {
  const circle = join(folder, 'circle')
  symlinkSync(circle, circle)
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  const program = join(programs, 'docker-compose')
  writeFileSync(program, '#!/bin/sh\necho 2.40.3\n')
  chmodSync(program, 0o755)
  const environment = {
    HOME: folder,
    DOCKER_CONFIG: circle,
    PATH: `${circle}:${programs}:/usr/bin:/bin`,
  }
  // a plugin of this machine, where it has one, comes before the PATH
  const version = await installedCompose(environment, join(folder, 'note.json'))
  assert.match(version ?? '', /^\d+\.\d+\.\d+/)
})
