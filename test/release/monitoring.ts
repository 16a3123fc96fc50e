/** A real Prometheus scrapes a real service with a token, takes the alert rules, and has a series for every question of rules and dashboard. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'
import { servingOn, waitFor } from '../testbed/serving.ts'

const skip = required('podman') || required('promtool')
const rules = resolve('packaging/monitoring/tend-rules.yaml')
const dashboard = resolve('packaging/monitoring/tend-dashboard.json')

/** Well until its file is gone. */
const stack = `services:
  web:
    image: ${busybox}
    command: [sh, -c, "touch /tmp/well && exec sleep 1000"]
    healthcheck: { test: [CMD, test, -e, /tmp/well], interval: 1s, retries: 1 }
    stop_grace_period: 0s
`

await test('Prometheus reads rules and metrics', { skip }, async (t) => {
  execFileSync('promtool', ['check', 'rules', rules])
  const podman = await startPodman()
  t.after(() => podman.stop())
  await addImage(podman.socket)
  const serving = await servingOn({ DOCKER_HOST: `unix://${podman.socket}` })
  t.after(() => serving.remove())
  const apps = join(serving.folder, 'apps/web')
  mkdirSync(apps, { recursive: true })
  writeFileSync(join(apps, 'compose.yaml'), stack)
  serving.declare(
    'sources: { here: { directory: ./apps } }\napps:\n  - { stack: web, source: here, path: web }\n',
  )
  await serving.start()
  const token = join(serving.home, 'local-token')
  const headers = { authorization: `Bearer ${readFileSync(token, 'utf8').trim()}` }
  const metrics = async () => (await serving.api('/metrics', { headers })).text()
  const inside = (...words: readonly string[]) => execFileSync(podman.command, words)
  const isWell = async () => /tend_app_health\{[^}]*"healthy"\} 1/.test(await metrics())
  await waitFor(isWell)
  inside('exec', 'web-web-1', 'rm', '/tmp/well')
  await waitFor(async () => (await metrics()).includes('tend_help_total'))
  await waitFor(isWell)
  inside('rm', '-f', 'web-web-1')
  await waitFor(async () => (await metrics()).includes('tend_drift_total'))
  execFileSync('promtool', ['check', 'metrics'], { input: await metrics() })

  const port = await freePort()
  const file = join(serving.folder, 'prometheus.yaml')
  writeFileSync(
    file,
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
scrape_configs:
  - job_name: tend
    authorization: { credentials_file: "${token}" }
    static_configs: [{ targets: ["${new URL(serving.url).host}"] }]
rule_files: ["${rules}"]
`,
  )
  const place = `--storage.tsdb.path=${join(serving.folder, 'prometheus')}`
  const words = [`--config.file=${file}`, place, `--web.listen-address=127.0.0.1:${port}`]
  const prometheus = spawn('prometheus', words, { stdio: 'ignore' })
  t.after(() => prometheus.kill())
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => undefined)
    return answer?.ok === true ? JSON.parse(await answer.text()).data : undefined
  }
  const found = async (query: string): Promise<number> =>
    (await ask(`query?query=${encodeURIComponent(query)}`))?.result.length ?? 0
  await waitFor(async () => (await found('up{job="tend"} == 1')) === 1)
  const names = [rules, dashboard].flatMap((one) =>
    readFileSync(one, 'utf8').match(/tend_[a-z_]+/g),
  )
  for (const name of new Set(names)) await waitFor(async () => (await found(name ?? '')) > 0)
  // a rate needs two scrapes
  for (const query of queries()) await waitFor(async () => (await found(query)) > 0)
  await waitFor(async () => {
    const { groups = [] } = (await ask('rules')) ?? {}
    const all = groups.flatMap((group: { rules: readonly { health: string }[] }) => group.rules)
    return all.length > 0 && all.every(({ health }: { health: string }) => health === 'ok')
  })
})

/** Of the dashboard's panels, but for those that show only what is wrong. */
function queries(): readonly string[] {
  const { panels } = JSON.parse(readFileSync(dashboard, 'utf8'))
  return panels
    .flatMap(({ targets }: { targets: readonly { expr: string }[] }) => targets)
    .map(({ expr }: { expr: string }) => expr)
    .filter((expr: string) => !expr.includes('state!='))
}
