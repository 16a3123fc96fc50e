/** Whether a Kustomization is as another one needs it, where an expression of CEL decides that. */
import { withAllowance } from '#domains/kustomizations/look/expression-allowance.ts'
import { readSpec } from '#domains/kustomizations/spec.ts'
import { compile, type Program } from '#formats/cel/compile.ts'
import { keyOf } from '#model/application.ts'
import type { FluxObject } from './kinds.ts'

export type ReadyExpressions = {
  /** Undefined: no expression is given, and the usual rule holds. */
  readonly stands: (own: string, other: string) => boolean | undefined
  /** What is wrong with those of one, as a sentence. */
  readonly faultOf: (one: FluxObject) => string | undefined
}

export function readyExpressions(known: ReadonlyMap<string, FluxObject>): ReadyExpressions {
  const programs = new Map<string, Program | string>()

  function programOf(text: string): Program | string {
    const made = programs.get(text) ?? compiled(text)
    programs.set(text, made)
    return made
  }

  return {
    stands(own, other) {
      const self = known.get(own)
      if (self === undefined) return undefined
      const expression = expressionsOf(self).get(other)
      if (expression === undefined) return undefined
      const program = programOf(expression)
      const dep = known.get(other)
      if (typeof program === 'string' || dep === undefined) return false
      try {
        const about = { self: self.object, dep: dep.object }
        return withAllowance(
          self.namespace,
          Date.now(),
          (budget) => program.evaluate(about, budget) === true,
        )
      } catch {
        // a field that is not there yet, or it costs too much
        return false
      }
    },
    faultOf(one) {
      for (const [other, text] of expressionsOf(one)) {
        const program = programOf(text)
        if (typeof program === 'string') {
          return `the readyExpr for ${other.replace('kustomization:', '')}: ${program}`
        }
      }
      return undefined
    },
  }
}

function expressionsOf({ spec, namespace }: FluxObject): ReadonlyMap<string, string> {
  const pairs = readSpec(spec).spec.dependsOn.flatMap((other) => {
    const home = other.namespace === '' ? namespace : other.namespace
    const key = keyOf({ kind: 'kustomization', namespace: home, name: other.name })
    return other.readyExpr === '' ? [] : [[key, other.readyExpr] as const]
  })
  return new Map(pairs)
}

function compiled(text: string): Program | string {
  try {
    return compile(text)
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}
