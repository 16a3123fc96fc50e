/** A Dockerfile as it was understood: what is judged, and what engines are given, printed from this alone. */
import type { HereDocument } from './lines.ts'
import type { Word } from './words.ts'

export type Dockerfile = readonly Instruction[]

export type Instruction = {
  /** From 1. */
  readonly line: number
  readonly flags: readonly Flag[]
} & Body

type Body =
  | { readonly keyword: 'FROM'; readonly image: Word; readonly stage?: string }
  | { readonly keyword: 'ARG' | 'ENV' | 'LABEL'; readonly pairs: readonly Pair[] }
  | {
      readonly keyword: Listing
      readonly words: readonly Word[]
      /** What COPY and ADD put in the target beside what the words name, each as a file of its name. */
      readonly documents?: readonly HereDocument[]
    }
  | { readonly keyword: Running; readonly command: Command }
  | { readonly keyword: 'HEALTHCHECK'; readonly command: Command | 'NONE' }
  | { readonly keyword: Single; readonly word: Word }
  | { readonly keyword: 'MAINTAINER'; readonly text: string }
  | { readonly keyword: 'ONBUILD'; readonly later: Instruction }

export type Listing = 'ADD' | 'COPY' | 'VOLUME' | 'EXPOSE'
export type Running = 'RUN' | 'CMD' | 'ENTRYPOINT' | 'SHELL'
export type Single = 'WORKDIR' | 'USER' | 'STOPSIGNAL'

/** `--name` or `--name=value`; a mount has fields in place of a value. */
export type Flag = {
  readonly name: string
  readonly value?: Word
  readonly fields?: readonly Field[]
}

export type Field = { readonly name: string; readonly value?: string }

export type Pair = { readonly name: string; readonly value?: Word }

/** A list of words, or a text for the shell. */
export type Command =
  | { readonly list: readonly string[] }
  | { readonly text: string; readonly documents: readonly HereDocument[] }
