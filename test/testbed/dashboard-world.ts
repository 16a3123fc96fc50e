/** The real service with a real engine, Docker unless told, behind a real browser: a stack that is well, one that is not, one that waits for another. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openPage, visit, type Look } from './browser.ts'
import { provideDashboard } from './dashboard-files.ts'
import { bothEngines, type Engine } from './both-engines.ts'
import { gitBench, type Bench, type BenchNames } from './git.ts'
import { busybox } from './image.ts'
import { servingOn, type Serving } from './serving.ts'

/** Lines of tend.yaml beside those of the three stacks. */
export type Declared = {
  readonly sources?: string
  readonly apps?: string
  readonly rest?: string
}

export type DashboardWorld = {
  readonly engine: Engine
  readonly git: Bench
  readonly serving: Serving
  readonly browser: Browser
  /** Writes tend.yaml anew, with these lines too; the service takes it over by itself. */
  declare(declared: Declared): void
  /** A new page, logged in. */
  open(path: string, look?: Look & { readonly token?: string }): Promise<Page>
  /** The header of whoever runs the service. */
  own(): Readonly<Record<string, string>>
  /** Errors on the consoles of all pages. */
  errors(): readonly string[]
  stop(): Promise<void>
}

const calm = 'stop_grace_period: 0s'

/** Two containers, a network and a volume; the greeting and the port are what commits change. */
export function shopText(greeting: string, port?: number): string {
  const ports = port === undefined ? '' : `\n    ports: ["127.0.0.1:${port}:8000"]`
  return `services:
  db:
    image: ${busybox}
    command: [sh, -c, "echo the database is ready; exec sleep 100000"]
    healthcheck: { test: [CMD, "true"], interval: 1s }
    volumes: [data:/data]
    ${calm}
  web:
    image: ${busybox}
    environment:
      GREETING: ${greeting}
      DB_PASSWORD: planted-secret-text
    command: [sh, -c, "echo hello from the shop; echo a warning >&2; exec sleep 100000"]
    depends_on: { db: { condition: service_healthy } }${ports}
    ${calm}
volumes: { data: {} }
`
}

const brokenText = `services:
  api:
    image: ${busybox}
    command: [sh, -c, "echo no such database; exit 3"]
    restart: "no"
    ${calm}
`

/** How long it sleeps is what commits change. */
export function mailText(seconds = '100000'): string {
  return `services:
  mail:
    image: ${busybox}
    command: [sleep, "${seconds}"]
    ${calm}
`
}

export async function openDashboardWorld({
  start = bothEngines[0][2],
  declared = {},
  ...names
}: BenchNames & {
  readonly start?: () => Promise<Engine>
  readonly declared?: Declared
} = {}): Promise<DashboardWorld> {
  const [engine, browser] = await Promise.all([start(), openBrowser(), provideDashboard()])
  const git = gitBench(names)
  git.commit('Begin the shop', {
    'shop/compose.yaml': shopText('hello'),
    'broken/compose.yaml': brokenText,
    'mail/compose.yaml': mailText(),
  })
  const serving = await servingOn({ DOCKER_HOST: `unix://${engine.socket}` })
  const declare = ({ sources = '', apps = '', rest = '' }: Declared): void =>
    serving.declare(`
sources:
  infra: { git: "${git.bare}", ref: main }
${sources}
defaults: { interval: off }
${rest}
apps:
  - { stack: shop, source: infra, path: shop, drift: flag }
  - { stack: broken, source: infra, path: broken, rollback: never }
  - { stack: mail, source: infra, path: mail, dependsOn: [stack:shop] }
${apps}
`)
  declare(declared)
  await serving.start()
  const failed: (readonly string[])[] = []
  const local = () => readFileSync(join(serving.home, 'local-token'), 'utf8').trim()
  return {
    engine,
    git,
    serving,
    browser,
    declare,
    async open(path, { token = local(), ...look } = {}) {
      const { page, errors } = await openPage(browser, look)
      failed.push(errors)
      await visit(page, `${serving.url}${path}`, token)
      return page
    },
    own: () => ({ authorization: `Bearer ${local()}` }),
    errors: () => failed.flat(),
    async stop() {
      await browser.close()
      await serving.remove()
      git.remove()
      await engine.stop()
    },
  }
}
