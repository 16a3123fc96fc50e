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

test('a text that aliases repeat is counted wherever it comes to stand', () => {
  const long = (size: number): string => `{ a: "${'x'.repeat(size)}" }`
  const web = (labels: string, more = ''): string =>
    `services: { web: { image: x, labels: ${labels} ${more} } }`
  const cases = {
    [web(long(256_000))]: /^1: services.web has 256\d{3} letters, more than 256000$/,
    [web(long(200_000), ', scale: 21')]: /^1: with services.web what containers, .* more than 4000/,
    [`x-l: &l ${long(200_000)}\nservices:\n${Array.from({ length: 21 }, (_, at) => `  s${at}: { image: x, labels: *l }\n`).join('')}`]:
      /^2\d: with services.s\d+ what containers, .* more than 4000000$/,
    [`${web('{}', ', volumes: ["vol:/v"]')}\nvolumes: { vol: { labels: ${long(256_000)} } }`]:
      /^2: volumes.vol has 256/,
    [`${web('{}', ', networks: [net]')}\nnetworks: { net: { labels: ${long(256_000)} } }`]:
      /^2: networks.net has 256/,
    // an engine lists each port of each container
    [web('{}', ', scale: 2, expose: ["1-65535"]')]: /^1: with services.web .* 52\d{5} letters/,
    [web(
      '{}',
      `, scale: 3, ports: [${Array.from({ length: 10_000 }, (_, at) => `"${at + 1}"`).join()}]`,
    )]: /^1: with services.web .* 4\d{6}/,
  }
  for (const [text, told] of Object.entries(cases)) {
    const rendered = render(text)
    assert.match(messages(rendered)[0] ?? 'nothing was said', told)
    assert.deepEqual(rendered.resources, [])
  }
  const ports = Array.from({ length: 10_000 }, (_, at) => `"${at + 1}:${at + 1}"`).join()
  assert.deepEqual(messages(render(web(long(200_000), `, ports: [${ports}]`))), [])
})
