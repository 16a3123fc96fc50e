/** Upgrades a chart again and again under two clients that never stop: one that looks the name up each time, one whose answers take 5 s. */
import { lastLines } from '#clients/podman/containers.ts'
import { podmanAt } from '#clients/podman/client.ts'
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

const server = [
  'mkdir -p /srv/cgi-bin',
  "printf '#!/bin/sh\\nsleep 5\\necho Content-type: text/plain\\necho\\necho slow\\n' > /srv/cgi-bin/slow",
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

const chart = {
  'shop/Chart.yaml': 'name: shop\nversion: 1.0.0\n',
  'shop/values.yaml': 'round: 0\n',
  'shop/templates/all.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteNetwork
metadata: { name: back }
spec: { driver: bridge }
${container(
  'svc',
  server,
  `  env: [{ name: ROUND, value: "{{ .Values.round }}" }]
  stopTimeoutSeconds: 10
  health:
    type: exec
    command: ["/bin/wget", "-q", "-O", "/dev/null", "http://127.0.0.1:8000/"]
    intervalSeconds: 1
    retries: 5
`,
)}${container('quick', asking('/', 'usleep 50000'), '  stopTimeoutSeconds: 0\n')}${container('slow', asking('/cgi-bin/slow', ':'), '  stopTimeoutSeconds: 0\n')}`,
}

export async function measureBeside(
  upgrades: number,
  tell?: (line: string) => void,
): Promise<Measured> {
  const engine = await startPodman()
  const shell = tendOn(engine.socket)
  const podman = podmanAt(`unix://${engine.socket}`)
  try {
    await addImage(engine.socket)
    shell.write(chart)
    await must('install ./shop')
    await until(async () => (await lines('slow')).includes('ok'))
    const before = { quick: (await lines('quick')).length, slow: (await lines('slow')).length }
    for (let round = 1; round <= upgrades; round += 1) {
      const out = await must(`upgrade ./shop --set round=${round}`)
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
    podman.close()
    shell.remove()
    await engine.stop()
  }

  async function must(line: string): Promise<string> {
    const { code, out, err } = await shell.tend(line)
    if (code !== 0) throw new Error(out + err)
    return out
  }

  function lines(name: string): Promise<readonly string[]> {
    return lastLines(podman, name, 1_000_000, new AbortController().signal)
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 200))
}
