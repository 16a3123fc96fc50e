/** What an earlier version is given to run, and what of it today's program refuses until it is allowed. */
import type { Docker } from '#clients/docker/client.ts'
import { execIn } from '#clients/docker/exec.ts'
import { busybox } from '../testbed/image.ts'

const { signal } = new AbortController()

type Files = Readonly<Record<string, string>>

const runs = `image: ${busybox}
    command: sleep 100000
    stop_grace_period: 0s
    restart: unless-stopped`

/** A stack as people have it: a database's volume, a folder that is written, a file that is read, in both spellings, a secret, limits, a check. */
export function stackFiles(name: string): Files {
  return {
    [`${name}/compose.yaml`]: `services:
  web:
    ${runs}
    volumes: ["data:/data", "./written:/written", "./web.conf:/etc/web.conf:ro"]
    env_file: [web.env]
    environment: { STAGE: test }
    healthcheck: { test: "true", interval: 1s, timeout: 5s, retries: 5 }
    mem_limit: 64m
    secrets: [password]
    depends_on: { db: { condition: service_started } }
  db:
    ${runs}
    volumes: ["db:/var/lib/db", { type: bind, source: ./web.conf, target: /etc/db.conf, read_only: true, bind: { propagation: rprivate } }]
    networks: { default: { aliases: [database] } }
secrets: { password: { file: password.txt } }
volumes: { data: , db: }
`,
    [`${name}/written/kept`]: 'from the repository\n',
    [`${name}/web.conf`]: 'listen 80\n',
    [`${name}/web.env`]: 'FROM_FILE=yes\n',
    [`${name}/password.txt`]: 'hunter2\n',
  }
}

export function chartFiles(name: string): Files {
  return {
    [`${name}/Chart.yaml`]: `name: ${name}\nversion: 1.0.0\n`,
    [`${name}/values.yaml`]: 'stage: test\n',
    [`${name}/templates/all.yaml`]: `apiVersion: cutepod/v1alpha0
kind: CuteNetwork
metadata: { name: ${name}-back }
---
apiVersion: cutepod/v1alpha0
kind: CuteVolume
metadata: { name: ${name}-data }
---
apiVersion: cutepod/v1alpha0
kind: CuteSecret
metadata: { name: ${name}-password }
spec: { data: { password: aHVudGVyMg== } }
---
apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: ${name}-web }
spec:
  image: ${busybox}
  command: ["/bin/sh", "-c"]
  args: ["touch /tmp/well; exec sleep 100000"]
  env: [{ name: STAGE, value: "{{ .Values.stage }}" }]
  stopTimeoutSeconds: 0
  restartPolicy: Always
  networks: [${name}-back]
  volumes: [{ name: ${name}-data, mountPath: /data }]
  secrets: [{ name: ${name}-password, path: /run/password }]
  health: { type: exec, command: ["/bin/sh", "-c", "test -e /tmp/well"], intervalSeconds: 1, retries: 5 }
`,
  }
}

type Refusal = {
  readonly name: string
  readonly files: Files
  /** What others have already. */
  readonly before: (docker: Docker) => Promise<void>
  /** The words of the line that allows it. */
  readonly allow: string
}

/** Rules that came after that version: what it ran is refused with the line that allows it, and goes on. */
export const refusals: readonly Refusal[] = [
  {
    name: 'behind-proxy',
    files: {
      'behind-proxy/compose.yaml': `services:
  web:
    ${runs}
    networks: [proxy]
networks: { proxy: { external: true } }
`,
    },
    before: async (docker) =>
      void (await docker.ask('POST', '/networks/create', {
        signal,
        doing: 'a network of others',
        body: { Name: 'proxy' },
      })),
    allow: 'shared: [network/proxy]',
  },
  {
    name: 'certificates',
    files: {
      'certificates/compose.yaml': `services:
  web:
    ${runs}
    volumes: ["certificates:/certificates:ro"]
volumes: { certificates: { external: true } }
`,
    },
    before: async (docker) =>
      void (await docker.ask('POST', '/volumes/create', {
        signal,
        doing: 'a volume of others',
        body: { Name: 'certificates' },
      })),
    allow: 'shared: [volume/certificates]',
  },
]

/** Writes into the places of a container that are to stay, if a text is given, and tells what is in them. */
export async function writesIn(docker: Docker, name: string, text?: string): Promise<string> {
  const into = (folder: string) => `test ! -d ${folder} || echo '${text}' > ${folder}/mark`
  const write = text === undefined ? 'true' : `${into('/data')}; ${into('/written')}`
  const lines: string[] = []
  const command = ['sh', '-c', `${write}; cat /data/mark /written/* 2>/dev/null`]
  await execIn(docker, name, { command, report: (line) => lines.push(line) }, signal)
  return lines.join('\n')
}
