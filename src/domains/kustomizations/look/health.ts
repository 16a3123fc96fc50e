/** What an object says of its own health: by the expressions of its set, where there are any for it, else by its kind's rules. */
import { metadataOf } from '#formats/manifest/metadata.ts'
import { numberOf, recordOf } from '#model/read-json.ts'
import { compile, type Program } from '#formats/cel/compile.ts'
import { statusOf } from '#formats/kstatus/status.ts'
import type { Look } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import { withAllowance } from './expression-allowance.ts'
import type { SetContext } from '../memory.ts'
import { nameOfObject } from '../object.ts'
import { isAbout, type HealthExpressions } from '../apply-options.ts'

export function healthOf(
  set: Pick<SetContext, 'clock' | 'owner' | 'options'>,
  object: JsonRecord,
): Look {
  const said = (set.options.healthCheckExprs ?? []).find((each) =>
    isAbout(each, nameOfObject(object)),
  )
  if (said !== undefined) return expressed(set, said, object)
  const { status, message } = statusOf(object, { now: set.clock.now(), variant: 'flux-job' })
  if (status === 'Current') return { state: 'ok', message }
  return { state: status === 'Failed' ? 'failed' : 'waiting', message }
}

/** Whether its controller has seen the spec as it is now. */
export function isSeen(object: JsonRecord): boolean {
  const seen = recordOf(object['status'])['observedGeneration']
  return seen === undefined || numberOf(seen) === metadataOf(object).generation
}

const states = ['inProgress', 'failed', 'current'] as const
const looks = { inProgress: 'waiting', failed: 'failed', current: 'ok' } as const

/** In this order; a field that is not there yet says nothing yet. */
function expressed(
  { clock, owner }: Pick<SetContext, 'clock' | 'owner'>,
  expressions: HealthExpressions,
  object: JsonRecord,
): Look {
  if (metadataOf(object).isDeleting) return { state: 'waiting', message: 'it is being deleted' }
  if (!isSeen(object)) return { state: 'waiting', message: 'its last change was not observed yet' }
  let doubt = 'none of its health expressions is true yet'
  for (const name of states) {
    const text = expressions[name]
    if (!text) continue
    try {
      const answer = withAllowance(owner.namespace, clock.now(), (budget) =>
        programOf(text).evaluate(object, budget),
      )
      if (answer === true) {
        return { state: looks[name], message: `${name}: ${text}` }
      }
    } catch (error) {
      doubt = `${name}: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return { state: 'waiting', message: doubt }
}

const programs = new Map<string, Program>()
const mostPrograms = 1000

/** The same text is the same program: read once. */
function programOf(text: string): Program {
  const known = programs.get(text)
  if (known !== undefined) return known
  if (programs.size >= mostPrograms) programs.clear()
  const program = compile(text)
  programs.set(text, program)
  return program
}
