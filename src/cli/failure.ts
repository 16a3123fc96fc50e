/** A command that could not do its work: the problem as lines or as a document, never a stack trace. */
import { factsOf, problemOf, type ProblemFacts } from '#model/problem.ts'
import { exitCodeOfProblems } from './exit-code.ts'
import type { Screen } from './screen.ts'
import { failureDocument } from './views/document.ts'
import { problemList } from './views/problems.ts'

export async function tellFailure(
  thrown: unknown,
  screen: Screen,
  isVerbose: boolean,
  kind?: string,
): Promise<number> {
  const problem = problemOf(thrown)
  if (isVerbose && problem.code === 'bug' && thrown instanceof Error) {
    screen.note(thrown.stack ?? thrown.message)
  }
  return tellProblems([factsOf(problem)], screen, kind)
}

/** Problems go to stderr, where they do not mix with the output. A document holds them itself. */
export async function tellProblems(
  problems: readonly ProblemFacts[],
  screen: Screen,
  kind?: string,
): Promise<number> {
  const exit = exitCodeOfProblems(problems)
  if (screen.format === 'table') {
    screen.note(problemList(problems, screen.paint).join('\n'))
    return exit
  }
  const status = exit === 130 ? 'interrupted' : exit === 2 ? 'refused' : 'failed'
  await screen.document(failureDocument(problems, status, kind))
  return exit
}
