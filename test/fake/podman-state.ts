/** What the fake Podman holds, and how it is asked. */
import { createHash } from 'node:crypto'
import type { Ask } from '#clients/podman/client.ts'
import type { JsonRecord } from '#model/json.ts'

export type FakeContainer = {
  readonly id: string
  name: string
  readonly image: string
  readonly imageId: string
  readonly labels: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  /** What it runs: entrypoint and command. */
  readonly program: readonly string[]
  state: 'created' | 'initialized' | 'running' | 'paused' | 'exited'
  exitCode: number
  readonly networks: Map<string, readonly string[]>
  readonly ports: readonly { readonly hostPort: number; readonly containerPort: number }[]
  readonly volumes: readonly string[]
  readonly secrets: readonly string[]
  readonly pod: string
  readonly isInfra: boolean
}

export type FakeVolume = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** Tells a volume from one that was removed and made again. */
  readonly birth: number
}

export type PodmanState = {
  readonly containers: Map<string, FakeContainer>
  readonly networks: Map<string, { readonly labels: Readonly<Record<string, string>> }>
  readonly volumes: Map<string, FakeVolume>
  readonly secrets: Map<
    string,
    { readonly id: string; readonly labels: Readonly<Record<string, string>> }
  >
  readonly pods: Map<
    string,
    { readonly id: string; readonly labels: Readonly<Record<string, string>> }
  >
  /** Name to id. */
  readonly images: Map<string, string>
  nextId(): string
  births: number
}

export function freshState(): PodmanState {
  let last = 0
  return {
    containers: new Map(),
    networks: new Map([['podman', { labels: {} }]]),
    volumes: new Map(),
    secrets: new Map(),
    pods: new Map(),
    images: new Map([
      ['localhost/tend/busybox:1', 'image-1'],
      ['localhost/tend/busybox:2', 'image-2'],
    ]),
    births: 0,
    nextId() {
      last += 1
      return createHash('sha256').update(String(last)).digest('hex')
    },
  }
}

export type Arrived = {
  readonly method: string
  /** The path split at slashes, decoded. */
  readonly parts: readonly string[]
  readonly query: NonNullable<Ask['query']>
  readonly body: JsonRecord
  readonly bytes: Uint8Array | undefined
}

export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
