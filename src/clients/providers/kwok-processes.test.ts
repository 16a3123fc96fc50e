import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { deadPart } from './kwok-processes.ts'

test('a component that ended is told while others live, and nothing is said where none is seen to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-pids-'))
  try {
    const { pid: ended } = spawnSync('true')
    writeFileSync(join(folder, 'etcd.pid'), String(ended))
    assert.equal(deadPart(folder), undefined)
    writeFileSync(join(folder, 'kube-apiserver.pid'), `${process.pid}\n`)
    assert.equal(deadPart(folder), 'etcd')
    writeFileSync(join(folder, 'etcd.pid'), String(process.pid))
    assert.equal(deadPart(folder), undefined)
    assert.equal(deadPart(join(folder, 'none')), undefined)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
