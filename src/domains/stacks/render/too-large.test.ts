import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messages, renderText as render } from '../../../../test/fake/stack-text.ts'

test('few words that stand for millions of ports, containers or waits are refused, and nothing comes of them', () => {
  for (const published of ['1-4000000000', '1-65536', '5-1', '0x1-0x5000000', '1-1e7', '1-9/udp']) {
    const text = `services: { web: { image: x, ports: [{ target: 80, published: "${published}" }] } }`
    const rendered = render(text)
    assert.deepEqual(rendered.resources, [], published)
    assert.deepEqual(messages(rendered), [
      `1: "${published}" is no port of the host and no range of them`,
    ])
  }
  const cases = {
    '{ image: x, expose: ["1-100000000"] }': '1: "1-100000000" is no port and no range of them',
    '{ image: x, expose: ["1-65535", "1-65535/udp", "1-65535/sctp", "1-9"] }':
      '1: 196614 ports are exposed',
    '{ image: x, scale: 1001 }': '1: with web the stack has 1001 containers, more than 1000',
    '{ image: x, scale: 200, depends_on: [db] }':
      '1: its containers wait for others 20200 times, more than 20000',
  }
  for (const [service, told] of Object.entries(cases)) {
    const rendered = render(`services: { web: ${service}, db: { image: x, scale: 101 } }`)
    assert.deepEqual([messages(rendered)[0], rendered.resources], [told, []])
  }
  const fine =
    '{ image: x, ports: [{ target: 80, published: "8000-8010" }], expose: [9, "1-9/udp"] }'
  assert.deepEqual(messages(render(`services: { web: ${fine} }`)), [])
})
