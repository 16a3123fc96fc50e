import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSeenThrough } from './own-mounts.ts'

const root = '700 600 0:61 / / rw,relatime - overlay overlay rw'
const socket = '710 700 0:25 /docker.sock /run/docker.sock rw - tmpfs tmpfs rw'

function isSeen(mounts: readonly string[], isContained = true): boolean {
  const text = [root, ...mounts].join('\n')
  return isSeenThrough('/run/docker.sock', '/var/lib/tend/files', { isContained, mounts: text })
}

test('in a container an engine outside sees only folders that have one path inside and outside', () => {
  const same = '720 700 8:1 /var/lib/tend /var/lib/tend rw - ext4 /dev/sda1 rw'
  const ofPartition = '720 700 8:2 /lib/tend /var/lib/tend rw - ext4 /dev/sda2 rw'
  const volume =
    '720 700 8:1 /var/lib/docker/volumes/tend/_data /var/lib/tend rw - ext4 /dev/sda1 rw'
  const disk = '720 700 8:3 / /var/lib/tend rw - ext4 /dev/sdb rw'
  assert.equal(isSeen([socket]), false, 'its folder is in the container alone')
  assert.equal(isSeen([socket, same]), true)
  assert.equal(isSeen([socket, ofPartition]), true)
  assert.equal(isSeen([socket, volume]), false, 'the engine has it elsewhere')
  assert.equal(isSeen([socket, disk]), true)
  assert.equal(isSeen([socket], false), true, 'no container at all')
})

test('an engine inside of the same container sees what is there', () => {
  assert.equal(isSeen([]), true)
  assert.equal(isSeen(['711 700 0:26 / /run rw - tmpfs tmpfs rw']), true)
})

test('the folder of the socket may be mounted, and paths may hold spaces', () => {
  const folder = '710 700 0:25 /engine\\040one /run rw - tmpfs tmpfs rw'
  const home = '720 700 8:1 /var/lib/tend /var/lib/tend rw - ext4 /dev/sda1 rw'
  assert.equal(isSeen([folder]), false)
  assert.equal(isSeen([folder, home]), true)
})
