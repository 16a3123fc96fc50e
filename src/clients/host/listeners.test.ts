/** What the kernel tells of ports, in its own form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listeners, plainAddress } from './listeners.ts'

const head =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const texts: Readonly<Record<string, string>> = {
  '/proc/net/tcp': `${head}   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1 0 100 0
   1: 0100007F:1F91 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 112 1 0 100 0
`,
  '/proc/net/tcp6': `${head}   0: 00000000000000000000000000000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 113 1 0 100 0
   1: 0000000000000000FFFF00000100007F:0051 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 114 1 0 100 0
   2: B80D0120000000000000000001000000:0052 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 115 1 0 100 0
`,
  '/proc/net/udp': `${head} 2345: 00000000:0035 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 116 2 0 0
`,
}

void test('listeners are read as the kernel writes them', () => {
  const found = listeners((file) => texts[file] ?? '')
  assert.deepEqual(
    found.map(({ protocol, address, port, inode }) => `${protocol} ${address} ${port} ${inode}`),
    [
      'tcp 127.0.0.1 8080 111',
      'tcp :: 80 113',
      'tcp 127.0.0.1 81 114',
      'tcp 2001:db8::1 82 115',
      'udp 0.0.0.0 53 116',
    ],
  )
})

void test('one address has one text', () => {
  assert.equal(plainAddress('2001:DB8:0:0::1'), '2001:db8::1')
  assert.equal(plainAddress('0.0.0.0'), '0.0.0.0')
})
