/** What the front ends and the controller know of a kind of application. Everything else about it stays in its domain. */
import type { Application } from './application.ts'

export type ApplicationKind = {
  /** As `Application.kind` has it. */
  readonly name: string
  readonly words: KindWords
}

export type KindWords = {
  /** In headings: "Stack name: web". */
  readonly title: string
  /** The key under which documents list them: "stacks". */
  readonly plural: string
  /** The command that takes an application away; undefined: there is none. */
  removeCommand?(application: Application): string
  /** How the command line is told which application is meant. */
  argument(application: Application): string
}
