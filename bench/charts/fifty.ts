/** Fifty small containers on five networks: as a chart, and as the equivalent Compose file for podman-compose. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { busybox } from '../../test/testbed/image.ts'

export const containers = 50
export const networks = 5

export type Fifty = {
  /** A folder of its own for everything that the benchmark writes. */
  readonly folder: string
  readonly chart: string
  readonly compose: string
}

export function writeFifty(): Fifty {
  const folder = mkdtempSync(join(tmpdir(), 'tend-bench-'))
  const chart = join(folder, 'fifty')
  const compose = join(folder, 'compose', 'docker-compose.yml')
  mkdirSync(join(chart, 'templates'), { recursive: true })
  mkdirSync(join(folder, 'compose'))
  writeFileSync(join(chart, 'Chart.yaml'), 'name: fifty\nversion: 1.0.0\n')
  writeFileSync(join(chart, 'templates', 'all.yaml'), chartText())
  writeFileSync(compose, composeText())
  return { folder, chart, compose }
}

function chartText(): string {
  const all = [
    ...numbers(networks).map(
      (n) => `apiVersion: cutepod/v1alpha0
kind: CuteNetwork
metadata:
  name: fifty-net${n}
spec:
  driver: bridge
`,
    ),
    ...numbers(containers).map(
      (n) => `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata:
  name: fifty${n}
spec:
  image: ${busybox}
  command: ["/bin/sleep", "100000"]
  env:
    - name: NUMBER
      value: "${n}"
  networks: [fifty-net${n % networks}]
  stopTimeoutSeconds: 0
`,
    ),
  ]
  return all.join('---\n')
}

function composeText(): string {
  const services = numbers(containers).map(
    (n) => `  c${n}:
    image: ${busybox}
    command: ["/bin/sleep", "100000"]
    environment:
      NUMBER: "${n}"
    networks: [net${n % networks}]
    stop_grace_period: 0s
`,
  )
  const nets = numbers(networks).map((n) => `  net${n}: {}\n`)
  return `version: "3"\nservices:\n${services.join('')}networks:\n${nets.join('')}`
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => n)
}
