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
