/** Upgrades a chart or a stack again and again under two clients that never stop: one that looks the name up each time, one whose answers take a while. */
import { dockerAt } from '#clients/docker/client.ts'
import { lastLines } from '#clients/docker/logs.ts'
import { startDocker } from './docker.ts'
import { addImage, busybox } from './image.ts'
import { startPodman } from './podman.ts'
import { tendOn } from './tend.ts'

export type Measured = {
  readonly upgrades: number
  readonly asked: { readonly quick: number; readonly slow: number }
  /** What each failed request was told. */
  readonly failed: readonly string[]
  /** Requests whose name the engine's name server did not know or did not answer for: it forgets for a moment when it reads its list anew. */
  readonly unresolved: readonly string[]
}

/** Seconds: how long an answer of the slow page takes, and how long a server that is asked to stop may take. */
export type Pace = { readonly answer: number; readonly stop: number }

const serverOf = ({ answer }: Pace): string =>
  [
    'mkdir -p /srv/cgi-bin',
    `printf '#!/bin/sh\\nsleep ${answer}\\necho Content-type: text/plain\\necho\\necho slow\\n' > /srv/cgi-bin/slow`,
    'chmod +x /srv/cgi-bin/slow',
    'echo quick > /srv/index.html',
    'exec httpd -f -p 8000 -h /srv',
  ].join('; ')

const asking = (path: string, pause: string): string =>
  `while :; do said=$(wget -q -O- http://svc:8000${path} 2>&1) && echo ok || echo "failed: $(date +%T) $said"; ${pause}; done`

function container(name: string, script: string, more: string): string {
  return `---
apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: ${name} }
spec:
  image: ${busybox}
  command: ["/bin/sh", "-c"]
  args: [${JSON.stringify(script)}]
  networks: [back]
${more}`
}

const chartOf = (pace: Pace) => ({
  'shop/Chart.yaml': 'name: shop\nversion: 1.0.0\n',
  'shop/values.yaml': 'round: 0\n',
  'shop/templates/all.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteNetwork
metadata: { name: back }
spec: { driver: bridge }
${container(
  'svc',
  serverOf(pace),
  `  env: [{ name: ROUND, value: "{{ .Values.round }}" }]
  stopTimeoutSeconds: ${pace.stop}
  health:
    type: exec
    command: ["/bin/wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8000/"]
    intervalSeconds: 1
    retries: 5
`,
)}${container('quick', asking('/', 'usleep 50000'), '  stopTimeoutSeconds: 0\n')}${container('slow', asking('/cgi-bin/slow', ':'), '  stopTimeoutSeconds: 0\n')}`,
})

/** The same as a stack: on Docker, names of the old one go only with its address. */
const stackOf = (pace: Pace): string => `services:
  svc:
    image: ${busybox}
    command: ${commandOf(serverOf(pace))}
    environment: { ROUND: "\${ROUND:-0}" }
    stop_grace_period: ${pace.stop}s
    healthcheck: { test: wget -q -O /dev/null http://127.0.0.1:8000/, interval: 1s, retries: 5 }
  quick: { image: "${busybox}", command: ${commandOf(asking('/', 'usleep 50000'))}, stop_grace_period: 0s }
  slow: { image: "${busybox}", command: ${commandOf(asking('/cgi-bin/slow', ':'))}, stop_grace_period: 0s }
`

/** A dollar is Compose's own unless it is doubled. */
function commandOf(script: string): string {
  return JSON.stringify(['/bin/sh', '-c', script]).replaceAll('$', '$$$$')
}

type Way = {
  readonly files: (pace: Pace) => Readonly<Record<string, string>>
  readonly start: string
  readonly upgrade: (round: number) => {
    readonly line: string
    readonly files?: Readonly<Record<string, string>>
  }
  readonly container: (name: string) => string
}

const chart: Way = {
  files: chartOf,
  start: 'install ./shop',
  upgrade: (round) => ({ line: `upgrade ./shop --set round=${round}` }),
  container: (name) => name,
}

const stack: Way = {
  files: (pace) => ({ 'compose.yaml': stackOf(pace) }),
  start: 'up -p shop',
  upgrade: (round) => ({ line: 'up -p shop', files: { '.env': `ROUND=${round}\n` } }),
  container: (name) => `shop-${name}-1`,
}

export const besideOn = {
  'a chart on Podman': { way: chart, engine: podman },
  'a stack on Podman': { way: stack, engine: podman },
  'a stack on Docker': { way: stack, engine: startDocker },
} as const

async function podman() {
  const engine = await startPodman()
  return { ...engine, addImage: () => addImage(engine.socket) }
}

export async function measureBeside(
  what: keyof typeof besideOn,
  upgrades: number,
  pace: Pace,
  tell?: (line: string) => void,
): Promise<Measured> {
  const { way, engine: start } = besideOn[what]
  const engine = await start()
  const shell = tendOn(engine.socket)
  const docker = dockerAt({ address: `unix://${engine.socket}` })
  try {
    await engine.addImage()
    shell.write(way.files(pace))
    await must(way.start)
    await until(async () => (await lines('slow')).includes('ok'))
    const before = { quick: (await lines('quick')).length, slow: (await lines('slow')).length }
    for (let round = 1; round <= upgrades; round += 1) {
      const { line, files = {} } = way.upgrade(round)
      shell.write(files)
      const out = await must(line)
      if (!/1 updated/.test(out)) throw new Error(out)
      tell?.(`upgrade ${round}`)
    }
    const ends = await lines('slow')
    await until(async () => (await lines('slow')).length > ends.length)
    const told = {
      quick: (await lines('quick')).slice(before.quick),
      slow: (await lines('slow')).slice(before.slow),
    }
    const lost = Object.entries(told).flatMap(([name, all]) =>
      all.filter((line) => line.startsWith('failed')).map((line) => `${name} ${line}`),
    )
    const asked = { quick: told.quick.length, slow: told.slow.length }
    const isUnresolved = (line: string): boolean => line.includes('bad address')
    const unresolved = lost.filter(isUnresolved)
    return { upgrades, asked, failed: lost.filter((line) => !isUnresolved(line)), unresolved }
  } finally {
    docker.close()
    shell.remove()
    await engine.stop()
  }

  async function must(line: string): Promise<string> {
    const target = { DOCKER_HOST: `unix://${engine.socket}` }
    const { code, out, err } = await shell.tend(line, target)
    if (code !== 0) throw new Error(out + err)
    return out
  }

  function lines(name: string): Promise<readonly string[]> {
    return lastLines(docker, way.container(name), 1_000_000, new AbortController().signal)
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 200))
}
