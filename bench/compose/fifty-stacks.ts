/** What the benchmark of stacks starts and reads: fifty stacks of three services, a file of 3,000 lines, and two stacks to start. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { busybox } from '../../test/testbed/image.ts'

export const stacks = 50

export type Project = { readonly name: string; readonly folder: string; readonly file: string }

export type Fifty = {
  /** A folder of its own for everything that the benchmark writes. */
  readonly folder: string
  readonly projects: readonly Project[]
  /** 3,000 lines. */
  readonly long: Project
  /** Ten services. */
  readonly ten: Project
  /** Two levels of `service_healthy`. */
  readonly levels: Project
}

export function writeFifty(): Fifty {
  const folder = mkdtempSync(join(tmpdir(), 'tend-bench-'))
  function project(name: string, text: string): Project {
    const file = join(folder, name, 'compose.yaml')
    mkdirSync(dirname(file))
    writeFileSync(file, text)
    return { name, folder: dirname(file), file }
  }
  return {
    folder,
    projects: numbers(stacks).map((n) => project(`bench-${n}`, stackText(n))),
    long: project('bench-long', longText()),
    ten: project('bench-ten', tenText()),
    levels: project('bench-levels', levelsText()),
  }
}

const sleeping = `    image: ${busybox}
    command: [/bin/sleep, "100000"]
    stop_grace_period: 0s
`

function stackText(n: number): string {
  const services = ['web', 'worker', 'db'].map(
    (name) => `  ${name}:
${sleeping}    network_mode: none
    environment: {STACK: "${n}", SERVICE: ${name}}
    labels: {owner.of: stack-${n}}
`,
  )
  return `services:\n${services.join('')}`
}

/** Twenty lines a service. */
function longText(): string {
  const services = numbers(150).map(
    (n) => `  service${n}:
    image: ${busybox}
    command: ["/bin/sh", "-c", "sleep ${n}"]
    environment:
      NUMBER: "${n}"
      NAME: service-\${NAME:-${n}}
      LEVEL: info
    ports:
      - "127.0.0.1:${10_000 + n}:80"
    volumes:
      - data:/data
      - ./config:/config:ro
    depends_on:
      service${Math.max(0, n - 1)}: {condition: ${n > 0 ? 'service_healthy' : 'service_started'}}
    healthcheck:
      test: [CMD, wget, -q, "http://localhost/"]
      interval: 10s
    labels:
      traefik.rule: Host(\`s${n}.example.org\`)
    restart: unless-stopped
`,
  )
  return `services:\n${services.join('').replace('service0: {condition: service_started}', '{}')}volumes:\n  data:\n`
}

function tenText(): string {
  const services = numbers(10).map((n) => `  s${n}:\n${sleeping}`)
  return `services:\n${services.join('')}`
}

/** Each level is healthy at its first probe. */
function levelsText(): string {
  const probe = '    healthcheck: {test: [CMD, "true"], interval: 100ms, timeout: 5s}\n'
  const after = (name: string): string =>
    `    depends_on: {${name}: {condition: service_healthy}}\n`
  return `services:
  first:
${sleeping}${probe}  second:
${sleeping}${probe}${after('first')}  third:
${sleeping}${after('second')}`
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => n)
}
