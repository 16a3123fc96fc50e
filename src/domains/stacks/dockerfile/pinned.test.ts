import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeDockerfile } from './asks.ts'
import { basesOf, machineValues, pinned } from './pinned.ts'
import { printDockerfile } from './print.ts'

const values = machineValues('linux/arm64/v8', 'linux/amd64')

function understood(text: string) {
  const { dockerfile } = judgeDockerfile(text, {})
  assert.ok(dockerfile)
  return dockerfile
}

test('each FROM is one image on one machine; stages and scratch are none', () => {
  const file = understood(`ARG V=1
FROM --platform=$BUILDPLATFORM go:$V AS build
FROM --platform=linux/s390x a:\${TARGETARCH:-x} AS other
FROM build
FROM scratch
FROM b:\${TARGETVARIANT:+with-}\${TARGETOS}
`)
  assert.deepEqual(basesOf(file, values), [
    { line: 2, image: 'go:1', platform: 'linux/amd64' },
    { line: 3, image: 'a:arm64', platform: 'linux/s390x' },
    undefined,
    undefined,
    { line: 6, image: 'b:with-linux', platform: undefined },
  ])
})

test('engines get the ids of what was looked at, and no machine', () => {
  const file = understood('FROM --platform=$BUILDPLATFORM go AS build\nFROM build\nFROM a\n')
  assert.equal(
    printDockerfile(pinned(file, values, ['0'.repeat(64), undefined, '1'.repeat(64)])),
    `FROM ${'0'.repeat(64)} AS build\nFROM build\nFROM ${'1'.repeat(64)}\n`,
  )
})

test('of several stages the machine chooses one, and an image is none of them', () => {
  const stages = 'FROM a AS Build-arm64\nFROM b AS build-amd64\n'
  const file = understood(`${stages}FROM build-\${TARGETARCH}\n`)
  assert.deepEqual(basesOf(file, values)[2], undefined)
  assert.match(
    printDockerfile(pinned(file, values, ['0'.repeat(64), '1'.repeat(64), undefined])),
    /\nFROM build-arm64\n$/,
  )
  // nobody looked at it: a build for that machine is refused
  const { bases } = judgeDockerfile(`${stages}FROM build-\${TARGETARCH}\n`, {})
  assert.deepEqual(bases, ['a', 'b'])
  const other = basesOf(file, machineValues('linux/s390x', 'linux/amd64'))[2]
  assert.equal(other?.image, 'build-s390x')
})
