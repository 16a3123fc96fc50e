/** Understands the command line, and loads the rest only when there is something to do: help costs next to nothing. */
import { writeSync } from 'node:fs'
import { generalHelp, verbHelp } from '#cli/arguments/help.ts'
import { formatAsked, parse } from '#cli/arguments/parse.ts'
import { factsOf, problemOf } from '#model/problem.ts'

/** The exit code; undefined: all is said, nothing is under way, and Node ends by itself. */
async function main(args: readonly string[]): Promise<number | undefined> {
  if (args[0] === '__complete') return (await import('#cli/work.ts')).answer(args.slice(1))
  // a process that the service starts for itself
  if (args[0] === '__render')
    return (await import('#controller/render/render-process.ts')).serveRenders()
  const asked = understood(args)
  switch (asked.kind) {
    case 'help':
      return say(asked.verb === undefined ? generalHelp() : verbHelp(asked.verb))
    case 'version': {
      const { version, document } = (await import('#cli/about.ts')).about()
      return say([formatAsked(args) === 'table' ? `tend ${version}` : JSON.stringify(document)])
    }
    case 'usage':
      return (await import('#cli/work.ts')).refuse(asked.problem, formatAsked(args))
    case 'invocation':
      return (await import('#cli/work.ts')).work(asked.invocation)
  }
}

/** As plain data: in a release the rest is another file, with an error class of its own. */
function understood(args: readonly string[]) {
  try {
    return parse(args)
  } catch (thrown) {
    return { kind: 'usage', problem: factsOf(problemOf(thrown)) } as const
  }
}

/** Without a stream: making one takes as long as all the rest of a help. */
function say(lines: readonly string[]): undefined {
  const text = Buffer.from(`${lines.join('\n')}\n`)
  for (let at = 0; at < text.length;) {
    try {
      at += writeSync(1, text, at)
    } catch {
      // a pipe that is full, or has no reader any more: the stream knows what to do
      process.stdout.write(text.subarray(at))
      return
    }
  }
}

/** Only when all was taken: what a slow reader of a pipe has not read yet would be lost. */
function end(code: number | undefined): void {
  if (code === undefined) return
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

main(process.argv.slice(2)).then(end, (reason: unknown) => {
  process.stderr.write(`tend: ${problemOf(reason).message}\n`)
  end(1)
})
