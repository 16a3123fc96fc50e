/** What a Dockerfile may not do in a build of a followed application, however it is written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeDockerfile, judgeTriggers } from './asks.ts'
import { baseImages } from './base-images.ts'

function told(text: string, said: Readonly<Record<string, string>> = {}): readonly string[] {
  return judgeDockerfile(text, said).asks.map(({ line, rule, what }) => `${line} ${rule} ${what}`)
}

function read(text: string, said: Readonly<Record<string, string>> = {}): readonly string[] {
  return judgeDockerfile(text, said).images.map(({ image }) => image)
}

test('what everybody writes is asked of nobody', () => {
  const text = `# syntax=docker/dockerfile:1
ARG VERSION=3.19
ARG BASE
FROM --platform=$BUILDPLATFORM golang:1.22-alpine@sha256:00ff AS build
COPY --chown=1:1 /a /b
COPY --link go.mod go.sum ./
ADD . /src
ADD --chmod=755 $NAME/app.tar.gz archive-\${VERSION}/x /x/
RUN --mount=type=bind,target=. --mount=type=tmpfs,target=/tmp,size=1m --network=none go build && echo ADD http://x
RUN --mount=type=secret,id=token true
FROM registry.example:5000/team/alpine:\${VERSION} AS last
COPY --from=build /app /app
COPY --from=0 /app /app
RUN --mount=type=bind,from=build,target=/b,readonly true
FROM \${BASE:-busybox:1}
ONBUILD COPY . /app
`
  assert.deepEqual(told(text), [
    '8 hostNamespaces ADD ${NAME}/app.tar.gz, which the engine might fetch over the network of the host,',
  ])
  assert.deepEqual(told(text.replace('$NAME', 'files')), [])
  assert.deepEqual(read(text, { BASE: 'own' }), [
    'golang:1.22-alpine@sha256:00ff',
    'registry.example:5000/team/alpine:3.19',
    'own',
  ])
  assert.ok(read(text).includes('busybox:1'))
  const { bases } = judgeDockerfile('FROM a AS b\nFROM b\nCOPY --from=c / /', {})
  assert.deepEqual(bases, ['a'])
})

/** Each is told, whichever way the word is hidden. */
const hidden: Readonly<Record<string, string>> = {
  plain: 'ADD http://127.0.0.1/ /x',
  'in small letters': '  add HTTP://127.0.0.1/ /x',
  'after a tab': 'ADD\thttp://127.0.0.1/ /x',
  'after a line return': 'ADD\rhttp://127.0.0.1/ /x',
  'in JSON': String.raw`ADD ["\u0068ttp://127.0.0.1/", "/x"]`,
  'after a flag': 'ADD --chown=1:1 http://127.0.0.1/ /x',
  'among files': 'ADD a b http://127.0.0.1/ /x/',
  'in the next line': 'ADD \\\n# comment\n\nhttp://127.0.0.1/ /x',
  'in halves': 'AD\\\nD http://127.0.0.1/ /x',
  'with another escape': '# escape=`\nAD`\nD http://127.0.0.1/ /x',
  'with an escape that does not count': '# a=b\n# escape=`\nAD\\\nD http://127.0.0.1/ /x',
  'for later': 'ONBUILD ADD http://127.0.0.1/ /x',
  'for later, in halves': 'ONBUILD \\\nADD http://127.0.0.1/ /x',
  'by a variable': 'ADD ${X}://127.0.0.1/ /x',
  'by half a variable': 'ADD http:/$X /x',
  'by a variable, in JSON with an escape': String.raw`ADD ["h\\ttp${'$'}{X}//127.0.0.1/", "/x"]`,
  'by a variable, in JSON with quotes': `ADD ["'h'ttp\${X}//127.0.0.1/", "/x"]`,
  'by a variable, with another escape': '# escape=`\nADD h`ttp${X}//127.0.0.1/ /x',
  'by git': 'ADD git@localhost:x.git /x',
  'after a here-document': 'RUN <<"E\\"\nx \\\nE\\\nADD http://127.0.0.1/ /x',
  'the network': 'RUN --network=host true',
  'the network, quoted': 'RUN --net"work"=host true',
  'the network, escaped': 'RUN --net\\work=host true',
  rights: 'RUN --security=insecure true',
  devices: 'RUN --device=/dev/kvm true',
  'a cache': 'RUN --mount=target=/c,type=cache true',
  'a cache, quoted': `RUN --mount=target=/c,'type'=cache true`,
  'another mount': 'RUN --mount=type=devpts,target=/c true',
  'a link that a mount follows': 'RUN --mount=type=bind,from=base,source=/link,target=/h,rw true',
  'a link of the context': 'RUN --mount=src=link,target=/h true',
  'a link, quoted': `RUN --mount=type=bind,"source=/link",target=/h true`,
  'options of a mount': 'RUN --mount=type=bind,target=/h,bind-propagation=rw true',
  'a folder': 'FROM dir:/etc',
  'an archive': 'FROM oci-archive:/etc/passwd',
  storage: 'FROM containers-storage:victim-web',
  'another engine': 'FROM docker-daemon:victim:latest',
  'a path': 'COPY --from=/etc / /',
  'a variable': 'COPY --from=$X / /',
  'a variable of a mount': 'RUN --mount=from=$X,target=/x true',
  'a variable that is cut': 'FROM ${X#y}',
  'a variable in a variable': 'ARG A=$$\nFROM ${A}',
}

for (const [name, text] of Object.entries(hidden)) {
  test(`told: ${name}`, () => {
    assert.equal(told(`FROM x\n${text}\n`).length > 0 || told(`${text}\n`).length > 0, true, text)
  })
}

/** All of them read the image of another. */
const readers = [
  'FROM victim',
  'ARG A=vic\nARG B=${A}tim\nFROM ${B}',
  'ARG A=none\nFROM ${A:+victim}',
  'FROM ${NONE:-victim}',
  'FROM victim AS victim',
  'FROM x\nCOPY --from=victim / /\nFROM y AS victim',
  'FROM x AS victim\nCOPY --from=victim / /',
  'FROM x\nRUN a \\\n# comment\n\nFROM y AS victim\nCOPY --from=victim / /',
  'FROM x\nRUN <<E\nFROM y AS victim\nE\nCOPY --from=victim / /',
  'FROM x\nCOPY --from=victim / /',
  'FROM x\nRUN --mount=type=bind,from=victim,target=/x true',
  'FROM x\nONBUILD COPY --from=victim / /',
]

for (const text of readers) {
  test(`read: ${text.replaceAll('\n', ' ; ')}`, () => assert.ok(read(text).includes('victim')))
}

test('a stage is no image, whoever has one of its name', () => {
  const text = 'FROM x AS build\nRUN a \\\n  b\nFROM build AS test\nFROM y\nCOPY --from=build / /'
  assert.deepEqual(read(text), ['x', 'y'])
})

test('an argument counts more than what the file says', () => {
  assert.deepEqual(read('ARG A=one\nFROM ${A}', { A: 'two' }), ['two'])
  assert.deepEqual(read('FROM ${A:-one}', { A: 'two' }), ['one'], 'no ARG names it')
  assert.deepEqual(read('FROM victim${A}\nARG A', { A: 'x' }), ['victim'], 'it comes too late')
})

test('an ARG that a stage asks for again takes nothing away', () => {
  const text = 'ARG V=20\nFROM node:${V}-alpine AS a\nARG V\nFROM node:${V}\nARG V\n'
  assert.deepEqual(told(text), [])
  assert.deepEqual(read(text), ['node:20-alpine', 'node:20'])
  assert.deepEqual(told('FROM base:${TARGETARCH}'), [])
  assert.equal(told('FROM dir:${V}').length, 1)
})

test('a variable that is not understood is told by itself', () => {
  assert.match(
    told('FROM x\nENV A=${B:-"hello world"}').join(),
    /the variable \$\{B:-"hello world"\}/,
  )
})

test('a file that would take long is refused or read in no time', () => {
  const before = performance.now()
  told(`FROM x\n${'\n'.repeat(100_000)}FROM y`)
  assert.match(told(`ARG a \\\n${'RUN b \\\n'.repeat(100_000)}`).join(), /too long/)
  assert.match(told('FROM a\n'.repeat(100_000)).join(), /too long/)
  const many = Array.from({ length: 4_000 }, (_, index) => `FROM a${index}`).join('\n')
  assert.match(told(many).join(), /reads 4000 images/)
  told(`FROM ${'${A}'.repeat(200_000)}`)
  told(`ADD ${'['.repeat(900_000)}`)
  told(`# ${'escape'.repeat(150_000)}`)
  assert.ok(performance.now() - before < 5_000)
  assert.deepEqual(baseImages('FROM a\n'.repeat(4_000)), ['a'])
})

test('bases: every stage, however it is written, and nothing else', () => {
  const text = `# FROM comment
FROM one AS base
  from --platform=linux/amd64 registry.example/two:1\r
FROM\t--platform=x --foo=y three@sha256:abc AS last
RUN echo FROM four
FROMAGE five
`
  assert.deepEqual(baseImages(text), ['one', 'registry.example/two:1', 'three@sha256:abc'])
})

test('lines that go on are not taken for instructions, unless an engine may take them so', () => {
  const said = ['ADD --virtual x http://127.0.0.1/', 'from dir:/etc']
  for (const line of said) {
    for (const before of ['', '# why\n  b \\\n', '  # why\n', '\n'].map(
      (one) => `RUN apk \\\n${one}`,
    )) {
      assert.deepEqual(told(`FROM a\n${before}  ${line}`), [], `${before} ${line}`)
    }
    assert.deepEqual(told(`FROM a\nRUN apk \\ \n  ${line}`), [], line)
    assert.deepEqual(told(`FROM a\nRUN apk \\\r\n  ${line}`), [], line)
    assert.deepEqual(told(`FROM a\nRUN <<E\nRUN apk\n  ${line}\nE`), [], line)
    for (const before of ['RUN apk \\\\', 'RUN <<E\nRUN apk \\', '# RUN apk \\', '\\']) {
      assert.notDeepEqual(told(`FROM a\n${before}\n  ${line}`), [], `${before} ${line}`)
    }
  }
})

test('spaces and capitals are what engines take for them', () => {
  const [nel, mark] = ['\u0085', '\uFEFF']
  const hidden = [
    `${nel}ADD http://127.0.0.1/ /x`,
    `ADD a${nel}http://127.0.0.1/ /x`,
    `RUN ${nel}--network=host id`,
    `RUN --network=none${nel}--network=host id`,
    `ONBUILD ${nel}ADD http://127.0.0.1/ /x`,
    `ONBU\u0130LD ADD http://127.0.0.1/ /x`,
    `ADD \\${nel}\nhttp://127.0.0.1/ /x`,
    // no space: the mount goes on behind it
    `RUN --mount=type=bind,target=/h${mark},source=/link,rw id`,
    `COPY --chown=0${mark} --from=dir:/etc shadow /x`,
    `RUN --mount=type=bind,target=/h\\\n${mark},source=/link,rw id`,
    // what an image brings along is read as a file of its own, which may begin with it
    `ONBUILD ${mark}ADD http://127.0.0.1/ /x`,
    `ONBUILD ${mark}AD\\\nD http://127.0.0.1/ /x`,
    `ONBUILD ${mark}ONBUILD ${mark}ADD http://127.0.0.1/ /x`,
    `${mark}ADD http://127.0.0.1/ /x`,
  ]
  for (const line of hidden) assert.equal(told(`FROM x\n${line}\n`).length, 1, JSON.stringify(line))
  assert.equal(told(`${mark}FROM x\nCOPY ${nel}--from=victim-web /a /b\n`).length, 1)
  assert.deepEqual(told(`${mark}FROM x\n# one space\u00A0in a comment\n`), [])
  assert.equal(told(`FROM x${mark}\n`).length, 1)
})

test('a list is read up to its end, and the words of its line too', () => {
  const asking = [
    'ADD ["http://127.0.0.1/","/x"]z',
    'ADD ["http://127.0.0.1/", "/x"] z',
    'ADD ["http://127.0.0.1/","/x"]\0',
    'ADD ["\\u0068ttp://127.0.0.1/","/x"]]',
    'ADD ["\\u0024X","/x"]z',
    'ADD ["a","/x"] http://127.0.0.1/ /x',
  ]
  for (const line of asking) assert.ok(told(`FROM x\n${line}\n`).length > 0, line)
  for (const line of ['ADD ["a b", "/x"]', 'ADD ["a]b", "c", "/x/"]', 'ADD [a] /x']) {
    assert.deepEqual(told(`FROM x\n${line}\n`), [], line)
  }
})

/** Engines fill variables in before they take a flag apart. */
test('a variable brings nothing into a flag that is judged', () => {
  for (const line of [
    'RUN --mount=type=bind,target=$X true',
    'RUN --mount=type=bind,target=${X} true',
    'RUN --network=$X true',
    'RUN --$X true',
    'COPY --from=$X a /b',
    'COPY --chown=$X --ch$X a /b',
  ]) {
    assert.equal(told(`FROM x\nARG X=/h,source=/link,rw\n${line}\n`).length, 1, line)
  }
  assert.deepEqual(told('FROM x\nARG X\nCOPY --chown=$X:${X} --chmod=${X:-755} a /b\n'), [])
})

test('what an image brings along is as it would be printed', () => {
  const fine = ['COPY . /app', 'RUN  npm install', 'ENV A $B', 'ADD ["a b","/x"]', 'ARG NODE_ENV']
  assert.deepEqual(
    judgeTriggers(fine.slice(0, 3)).asks.map(({ what }) => what),
    [],
  )
  assert.deepEqual(judgeTriggers(fine.slice(4)).asks, [])
  for (const odd of [
    'ADD ["a b","/x"]',
    'COPY "a" /x',
    'copy . /app',
    'RUN a\nRUN b',
    // of which Podman carries out each line, and takes the directive for one
    'ENV a=b\nRUN <<EOF\nADD http://127.0.0.1/ /x\nEOF',
    '# escape=`\nENV a \\\nADD http://127.0.0.1/ /x',
    '# escape=`\nRUN a',
    'RUN --mount=type=bind,source=/l,target=/h true',
    'ADD http://127.0.0.1/ /x',
    '\uFEFFADD a /x',
  ]) {
    assert.equal(judgeTriggers([odd]).asks.length, 1, odd)
  }
  assert.deepEqual(
    judgeTriggers(['COPY --from=victim / /']).images.map(({ image }) => image),
    ['victim'],
  )
})

test('what a mount says twice is not judged by the first', () => {
  for (const mount of [
    'type=bind,type=cache,id=c,target=/c',
    'type=tmpfs,target=/c,type=cache',
    'type=bind,from=0,from=victim-web,target=/m',
    'from=one,target=/m,dst=/n',
    'target=/m,ro,rw',
  ]) {
    const all = told(`FROM x AS one\nFROM x\nRUN --mount=${mount} true\n`)
    assert.equal(all.length, 1, mount)
    assert.match(all[0] ?? '', /twice/)
  }
})
