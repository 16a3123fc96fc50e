/** A good Dockerfile gives the same image as it is written and as it is printed from what was understood of it, on both engines. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { buildImage } from '#clients/docker/build.ts'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { inspectImage } from '#clients/docker/images.ts'
import { judgeDockerfile } from '#domains/stacks/dockerfile/asks.ts'
import { withDocuments } from '#domains/stacks/dockerfile/documents.ts'
import type { Dockerfile } from '#domains/stacks/dockerfile/instruction.ts'
import { printDockerfile } from '#domains/stacks/dockerfile/print.ts'
import { contextOf } from '#domains/stacks/operate/context.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import type { Json } from '#model/json.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { busybox } from '../testbed/image.ts'

const never = new AbortController().signal

type Case = {
  readonly text: string
  /** What the engine builds in place of the text, where it can't read that itself. */
  readonly instead?: string
  readonly args?: Readonly<Record<string, string>>
  readonly target?: string
  /** One engine alone knows it. */
  readonly only?: 'Podman'
}

const cases: Readonly<Record<string, Case>> = {
  stages: {
    text: `# syntax=docker/dockerfile:1
# what is built
ARG TAG=1
ARG BASE="localhost/tend/busybox:\${TAG}"

FROM \${BASE} AS build
ARG TAG
WORKDIR /src
COPY . .
RUN mkdir out && \\
    # a comment in between

    cat app/*.txt \\
      "app/b c.md" > out/all && \\
# another
    echo "$TAG \\"quoted\\" \\\\ '$HOME'" >> out/all

FROM \${BASE}
COPY --from=build /src/out /out
COPY --from=0 /src/app/a.txt /out/first.txt
COPY ["app/b c.md", "/out/with space.md"]
COPY app/[ab]*.txt /out/globs/
ADD app/a.txt app/*.md /added/
LABEL org.example.a="one two" org.example.b='$three' "org.example.c"=x\\ y
ENV A=1 B="two words" C='$A' D=\${A}x E="\${A:-none}" F=\${NONE:-other} G=a\\ b
ENV OLD style  with "quotes" and $A
EXPOSE 80 \${A}23/udp
VOLUME ["/data", "/data two"]
USER 1000:1000
WORKDIR /out
WORKDIR sub/\${A}
STOPSIGNAL SIGINT
HEALTHCHECK --interval=5s --timeout=3s --retries=2 CMD test -f /out/all || exit 1
ENTRYPOINT ["/bin/sh", "-c", "echo \\"$0\\" \\t\\u00e9"]
CMD echo "hello \\
  world" '$A'
`,
    args: { TAG: '1' },
  },
  target: {
    text: `FROM ${busybox} AS first\nRUN echo 1 > /1\nFROM first AS second\nRUN echo 2 > /2\nFROM second\nRUN echo 3 > /3\n`,
    target: 'second',
  },
  shell: {
    text: `FROM ${busybox}\nSHELL ["/bin/sh", "-ec"]\nRUN [ -d /bin ] && [ "$x" = "" ] && echo $((1<<2)) > /n\nCMD ["a", "b"]\nHEALTHCHECK NONE\n`,
  },
  escape: {
    text: `# escape=\`\nFROM ${busybox}\nENV A=C:\\x B=\`$y\nRUN echo "$A" \`\n  'a\\b' > /x\nCOPY app\`/a.txt /y\n`,
    instead: `FROM ${busybox}\nENV A=C:\\\\x B=\\$y\nRUN echo "$A"   'a\\b' > /x\nCOPY app/a.txt /y\n`,
  },
  later: {
    text: `FROM ${busybox} AS base\nONBUILD COPY app /later\nONBUILD RUN echo late > /late\nFROM base\nRUN test -f /late\nONBUILD ENV X=1\n`,
    instead: `FROM ${busybox} AS base\nONBUILD COPY app /later\nONBUILD RUN echo late > /late\nFROM base\nRUN test -f /late\nONBUILD ENV X="1"\n`,
  },
  'line returns': { text: `FROM ${busybox}\r\nRUN echo a \\\r\n  b > /x\r\nCMD ["a"]\r\n` },
  documents: {
    text: `FROM ${busybox}\nRUN <<EOF\necho "one $HOME" > /x\necho FROM nowhere\nEOF\nRUN cat <<A > /y && cat <<-'B' > /z\na $HOME\nA\n\tb $HOME\nB\n`,
    instead: `FROM ${busybox}\nRUN echo "one $HOME" > /x; echo FROM nowhere\nRUN echo "a $HOME" > /y && echo 'b $HOME' > /z\n`,
  },
  'copied documents': {
    text: `FROM ${busybox}\nCOPY <<EOF /doc\nplain text\nEOF\nADD --link <<-'A' <<B app/a.txt /docs/\n\t$tab\nA\nsecond\nB\n`,
    instead: `FROM ${busybox}\nCOPY written/EOF /doc\nADD written/A written/B app/a.txt /docs/\n`,
  },
  modes: {
    text: `FROM ${busybox}\nCOPY --chown=12:34 app /one\nADD --chown=1 app/a.txt /two\n`,
  },
  podman: {
    text: `FROM ${busybox} AS a\nRUN echo x > /x\nFROM ${busybox}\nCOPY --chmod=600 --chown=5:6 app/a.txt /x\nRUN --mount=type=bind,from=a,target=/a --mount=type=tmpfs,dst=/t --mount=type=cache,target=/c,id=tend-test cp /a/x /y\n`,
    only: 'Podman',
  },
}

const files = {
  'app/a.txt': 'a',
  'app/b.txt': 'b',
  'app/b c.md': 'c',
  'written/A': '$tab\n',
  'written/B': 'second\n',
  'written/EOF': 'plain text\n',
  'skip.log': 'not sent',
  '.dockerignore': '*.log\nDockerfile\n.dockerignore',
}

function printedIn(dockerfile: Dockerfile) {
  return (_: string, folder: string) => {
    const placed = withDocuments(dockerfile, folder)
    return { dockerfile: printDockerfile(placed.dockerfile), files: placed.files }
  }
}

/** Paths with type, mode, owner and content, of a tar. */
function entriesIn(tar: Buffer): readonly string[] {
  const found: string[] = []
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const field = (start: number, length: number): string =>
      tar.toString('latin1', at + start, at + start + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(field(124, 12), 8)
    const content = tar.subarray(at + 512, at + 512 + size)
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
    const name = field(345, 155) + field(0, 100)
    // written anew for each container
    const isOurs = /^\.?\/?(etc\/(hosts|hostname|resolv.conf|mtab)|run\/|proc|sys|dev)/.test(name)
    const isExtended = /[xgLK]/.test(field(156, 1))
    if (!isOurs && !isExtended) {
      found.push([name, field(156, 1), field(100, 8), field(108, 8), field(116, 8), hash].join(' '))
    }
    at += 512 + Math.ceil(size / 512) * 512
  }
  return found.toSorted()
}

async function filesOf(docker: Docker, image: string): Promise<readonly string[]> {
  const doing = 'could not look into the image'
  const { body } = await docker.ask('POST', '/containers/create', {
    body: { Image: image, Cmd: ['true'], Entrypoint: [] },
    signal: never,
    doing,
  })
  const id = textOf(recordOf(body)['Id'])
  const { body: tar } = await docker.stream('GET', `/containers/${id}/export`, {
    signal: never,
    doing,
  })
  const parts: Uint8Array[] = []
  for await (const part of tar) parts.push(part)
  await docker.ask('DELETE', `/containers/${id}`, {
    query: { force: true, v: true },
    signal: never,
    doing,
  })
  return entriesIn(Buffer.concat(parts))
}

/** What the image says of itself, but for when and by whom it was made. */
async function configOf(docker: Docker, image: string): Promise<Json> {
  const { Config: config = null } = recordOf(await inspectImage(docker, image, never))
  const { Image: _, Hostname: __, ...rest } = recordOf(config)
  return rest
}

for (const [name, skip, start] of bothEngines) {
  void test(`printed Dockerfiles on ${name}`, { skip, timeout: 600_000 }, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    const docker = dockerAt({ address: `unix://${engine.socket}` })
    t.after(() => docker.close())
    for (const [key, { text, instead = text, args = {}, target, only }] of Object.entries(cases)) {
      if (only !== undefined && only !== name) continue
      await t.test(key, async () => {
        const folder = mkdtempSync(join(engine.root, 'context-'))
        for (const [path, content] of Object.entries({ ...files, Dockerfile: instead })) {
          mkdirSync(dirname(join(folder, path)), { recursive: true })
          writeFileSync(join(folder, path), content)
        }
        const { dockerfile = [], asks } = judgeDockerfile(text, args)
        assert.deepEqual(
          asks.filter(({ rule }) => rule !== 'externalVolumes'),
          [],
        )
        const made: Record<string, Json> = {}
        for (const way of ['written', 'printed']) {
          const sent = way === 'printed' ? printedIn(dockerfile) : undefined
          const context = await contextOf(folder, {}, { sent })
          const tag = `localhost/both/${way}:${key.replace(' ', '-')}`
          // Podman 4.3 mounts nothing of a stage that it has already
          const wish = {
            tag,
            context: context.tar,
            dockerfile: context.dockerfile,
            isUncached: true,
          }
          const report = (): void => undefined
          await buildImage(docker, { ...wish, arguments: args, stage: target, report }, never)
          made[way] = {
            config: await configOf(docker, tag),
            files: [...(await filesOf(docker, tag))],
          }
        }
        assert.deepEqual(made['printed'], made['written'])
        assert.doesNotMatch(JSON.stringify(made['printed']), /\.tend-|skip\.log/)
      })
    }
  })
}
