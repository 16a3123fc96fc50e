import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unitText } from './reinit-unit.ts'

test('the unit of the system, with what systemd would read as its own kept as text', () => {
  const text = unitText({
    launcher: '/opt/100% tend/bin/tend',
    home: '/var/lib/tend',
    target: undefined,
    isSystem: true,
  })
  assert.deepEqual(text.split('\n'), [
    '[Unit]',
    'Description=Put back what Tend keeps running',
    'Wants=network-online.target podman.socket',
    'After=network-online.target podman.socket',
    '',
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    'Environment="TEND_HOME=/var/lib/tend"',
    'ExecStart="/opt/100%% tend/bin/tend" reinit --no-color',
    'TimeoutStartSec=infinity',
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ])
})

test('the unit of a user', () => {
  const unit = { launcher: '/t', home: '/h', target: 'unix:///s', isSystem: false }
  const text = unitText(unit)
  assert.match(text, /WantedBy=default.target/)
  assert.match(text, /Environment="CONTAINER_HOST=unix:\/\/\/s"\n/)
})
