/** A Dockerfile printed from what was understood of it says the same, in letters that no engine takes for anything else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeDockerfile } from './asks.ts'
import type { Dockerfile } from './instruction.ts'
import { parseDockerfile } from './parse.ts'
import { printDockerfile } from './print.ts'
import { NotUnderstood } from './refused.ts'

function printed(text: string, said: Readonly<Record<string, string>> = {}): string {
  const { dockerfile, asks } = judgeDockerfile(text, said)
  assert.ok(dockerfile !== undefined, `${text}: ${JSON.stringify(asks)}`)
  return printDockerfile(dockerfile)
}

/** What is written, and what engines are given. */
const pairs: readonly (readonly [string, string])[] = [
  ['# syntax=docker/dockerfile:1\n# a comment\n\nfrom a as Build', 'FROM a AS build'],
  ['FR\\\nOM \\\n  a', 'FROM a'],
  [
    'ARG A=1\nARG B="x-$A"\nFROM a:${A} AS s\nFROM S',
    'ARG A="1"\nARG B="x-1"\nFROM a:1 AS s\nFROM s',
  ],
  ['FROM --platform=$BUILDPLATFORM a', 'FROM --platform=${BUILDPLATFORM} a'],
  ['FROM a:${TARGETARCH:-amd64}', 'FROM a:${TARGETARCH:-amd64}'],
  ['RUN a \\\n  # why\n\n  && b "x \\" y" \'$z\' `d`', 'RUN a   && b "x \\" y" \'$z\' `d`'],
  ['RUN [ "a", "b\\u0020c" ]', 'RUN ["a","b c"]'],
  ['RUN [ -f x ] && [ "$y" = z ]', 'RUN [ -f x ] && [ "$y" = z ]'],
  ['RUN a <<<b && echo $((1<<2)) $(( 1 << 2 ))', 'RUN a <<<b && echo $((1<<2)) $(( 1 << 2 ))'],
  [
    'RUN <<EOF\n  a "b"\nFROM x\nEOF\nRUN c',
    'RUN ["/bin/sh","-c","  a \\"b\\"\\nFROM x\\n"]\nRUN c',
  ],
  ['RUN <<-"EOF"\n\ta\n\tEOF', 'RUN ["/bin/sh","-c","a\\n"]'],
  ['RUN cat <<EOF > /x\n$a\nEOF', 'RUN ["/bin/sh","-c","cat <<EOF > /x\\n$a\\nEOF\\n"]'],
  [
    'SHELL ["/bin/ash", "-ec"]\nRUN <<E\na\nE',
    'SHELL ["/bin/ash","-ec"]\nRUN ["/bin/ash","-ec","a\\n"]',
  ],
  ['ENV A b  "c" $D', 'ENV A="b  c ${D}"'],
  ['ENV A=b\\ c B=\'$x\' C="\\$y \\\\ z"', 'ENV A="b c" B="\\$x" C="\\$y \\\\ z"'],
  ['LABEL "com.example"="a b" other=', 'LABEL com.example="a b" other=""'],
  ['ARG A B=c', 'ARG A B="c"'],
  ['COPY  a*\tb?  /x/', 'COPY a* b? /x/'],
  ['COPY ["a b", "/x/"]', 'COPY ["\\"a b\\"","/x/"]'],
  ['COPY [a]b $X/c /x/', 'COPY ["\\"[a]b\\"","${X}/c","/x/"]'],
  ['COPY --chown=$U:1 --chmod=755 a /x', 'COPY --chown=${U}:1 --chmod=755 a /x'],
  ['ADD ü.txt /x', 'ADD ["\\"ü.txt\\"","/x"]'],
  ['RUN --mount=dst=/x,readonly,type=tmpfs true', 'RUN --mount=target=/x,ro,type=tmpfs true'],
  [
    'HEALTHCHECK --interval=1s --retries=2 cmd a b',
    'HEALTHCHECK --interval=1s --retries=2 CMD a b',
  ],
  ['HEALTHCHECK none', 'HEALTHCHECK NONE'],
  ['CMD ["a"]', 'CMD ["a"]'],
  ['CMD exec a "$@"', 'CMD exec a "$@"'],
  ['ENTRYPOINT []', 'ENTRYPOINT []'],
  ['WORKDIR /a b', 'WORKDIR "/a b"'],
  ['WORKDIR $A/b', 'WORKDIR ${A}/b'],
  ['USER "a:b"', 'USER a:b'],
  ['VOLUME /a /b', 'VOLUME /a /b'],
  ['EXPOSE 80 $P/udp', 'EXPOSE 80 ${P}/udp'],
  ['STOPSIGNAL SIGINT', 'STOPSIGNAL SIGINT'],
  ['MAINTAINER a <b@c>', 'MAINTAINER a <b@c>'],
  ['onbuild copy . /x', 'ONBUILD COPY . /x'],
  [
    '# escape=`\nFROM a\nRUN b `\n  c\\d\nENV A=C:\\x B=`$',
    'FROM a\nRUN b   c\\d\nENV A="C:\\\\x" B="\\$"',
  ],
  ['RUN a\r\nCMD b\r\n', 'RUN a\nCMD b'],
  ['RUN <<EOF\r\na\r\nEOF\r\n', 'RUN ["/bin/sh","-c","a\\r\\n"]'],
  [
    'COPY --link --chmod=755 <<EOF <<-"F" a /x/\nb\nEOF\n\t$c\nF',
    'COPY --chmod=755 a .here-documents/0/EOF .here-documents/1/F /x/',
  ],
  ['ADD <<EOF /x\nADD http://a /b\nEOF\nCOPY .env .', 'ADD .here-documents/0/EOF /x\nCOPY .env .'],
]

for (const [text, wanted] of pairs) {
  const isWhole = /^(#|ARG A=|FR|from)/.test(text)
  test(`printed: ${JSON.stringify(text)}`, () => {
    const from = isWhole ? '' : 'FROM a\n'
    assert.equal(printed(from + text), `${from}${wanted}\n`)
    assert.equal(printed(printed(from + text)), printed(from + text), 'it is printed as it is')
  })
}

/** Nobody can tell what every engine makes of them. */
const refused = [
  'RUN ["a"] && b',
  'RUN [ "$x" ] && b',
  'RUN a \\\\\nRUN b',
  'RUN cat "<<EOF" <<E" x\nE" x\n',
  'RUN <<EOF\na',
  'RUN <<EOF\n#!/usr/bin/python\nEOF',
  'COPY <<EOF /x\n$a\nEOF',
  'COPY <<EOF\na\nEOF',
  'COPY <<EOF /x\na',
  'COPY <<EOF /x\na\nEOF\nCOPY . /',
  'COPY <<EOF /x\na\nEOF\nADD $A .[t]* /',
  'ONBUILD COPY <<EOF /x\na\nEOF',
  'COPY "a b" /x',
  'COPY a',
  'ENV A=$5',
  'ENV A=${B#c}',
  'ENV A=$Bé',
  'ENV A="b',
  'LABEL $A=b',
  'ARG "A=b"',
  'EXPOSE "8 0"',
  'RUN --device=x a',
  'RUN --mount=type=bind,foo=1 a',
  'COPY --chown=a --chown=b a /x',
  'ONBUILD ONBUILD RUN a',
  'CMD --a',
  'RUN',
  'INCLUDE x',
  'FROM a b',
  'FROM a AS 1',
  'FROM b AS x\nFROM c AS x',
  `RUN ${'a'.repeat(70_000)}`,
  `RUN <<E\n${'"'.repeat(40_000)}\nE`,
  'RUN a\u0000',
]

for (const text of refused) {
  test(`not understood: ${JSON.stringify(text).slice(0, 80)}`, () => {
    const { asks, dockerfile } = judgeDockerfile(`FROM a\n${text}\n`, {})
    assert.deepEqual([asks.length, asks[0]?.rule, dockerfile], [1, 'privileged', undefined])
    assert.ok((asks[0]?.line ?? 0) > 1)
  })
}

/** Without lines, which differ between what is written and what is printed. */
function meaning(dockerfile: Dockerfile): string {
  return JSON.stringify(dockerfile, (key, value: unknown) => (key === 'line' ? undefined : value))
}

const pieces = [
  ['FROM a', 'RUN ', 'COPY ', 'ADD ', 'ENV ', 'ARG ', 'LABEL ', 'ONBUILD ', 'CMD ', 'SHELL '],
  ['EXPOSE ', 'VOLUME ', 'USER ', 'WORKDIR ', 'HEALTHCHECK ', 'MAINTAINER ', 'STOPSIGNAL '],
  ['# escape=`\n', '# syntax=x\n', '--from=a ', '--mount=type=bind,target=/x ', '--chown=$A '],
  ['["a","b"]', '["', '"]', '[', ']', 'a=b', 'A', ' AS b', '$A', '${A}', '${A:-b}', '${A:+$B}'],
  ['<<E', '<<-"E"', 'E', '<<<', '\\', '`', '"', "'", '\\"', ',', '=', ' ', '\t', '\n', '\r\n'],
  ['é', '👩\u200D💻', '\u0085', '\uFEFF', '\u00A0', '\u2028', '\u0130', '\u212A', '\0', '\v', '#'],
].flat()

/** The same ones each time. */
function* randomTexts(count: number): Iterable<string> {
  let state = 20_261_118
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let one = 0; one < count; one += 1) {
    const length = 1 + next(14)
    const all = Array.from({ length }, () => pieces[next(pieces.length)] ?? '')
    yield `${next(3) === 0 ? '' : 'FROM a\n'}${all.join('')}`
  }
}

test('whatever is understood is understood as the same once printed, in plain letters', () => {
  let understood = 0
  for (const text of randomTexts(20_000)) {
    let first: Dockerfile
    let print: string
    try {
      first = parseDockerfile(text)
      print = printDockerfile(first)
    } catch (error) {
      assert.ok(error instanceof NotUnderstood, text)
      continue
    }
    if (first.length === 0) continue
    understood += 1
    const again = parseDockerfile(print)
    assert.equal(printDockerfile(again), print, JSON.stringify(text))
    const hasDocuments = print.includes('\\n') || print.includes('.here-documents')
    if (!hasDocuments) assert.equal(meaning(again), meaning(first), JSON.stringify(text))
    // nothing but blanks parts words, lines begin with keywords, and none goes on
    assert.doesNotMatch(print, /(?![\n\t ])[\p{Z}\p{Cc}\uFEFF]/u, JSON.stringify(text))
    for (const line of print.trimEnd().split('\n')) {
      assert.match(line, /^[A-Z]+ (--[a-z-]+(=[\w./:@%+=,*${}-]+)? )*[^ ]/, JSON.stringify(text))
      assert.doesNotMatch(line, /\\[\t ]*$/, JSON.stringify(text))
    }
    assert.equal(print.trimEnd().split('\n').length, first.length, JSON.stringify(text))
  }
  assert.ok(understood > 1_000, `${understood} of them are understood`)
})
