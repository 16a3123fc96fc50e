/** What an operator declares for the service: applications, where they come from, where they run and under which policy. */
import type { AuditKept } from './audit.ts'
import type { Application } from './application.ts'
import type { Json } from './json.ts'
import type { LoginDeclared } from './login.ts'
import type { Policy } from './policy.ts'
import type { Place } from './problem.ts'
import type { ApplicationRecord } from './store.ts'

/** Credentials are named, never held: a file or a variable of the operator that is read when it is needed. */
export type Credential =
  | { readonly kind: 'token'; readonly user: string; readonly from: SecretFrom }
  /** A token for forges that take it in a header and not as a password. */
  | { readonly kind: 'bearer'; readonly from: SecretFrom }
  | {
      readonly kind: 'ssh'
      readonly key: SecretFrom
      readonly knownHosts: SecretFrom | undefined
    }

export type SecretFrom =
  | { readonly file: string }
  | { readonly variable: string }
  /** The text is kept in memory, for as long as whoever declared it keeps it there. */
  | { readonly held: string }

/** Who must have signed what is used, by their public keys (OpenPGP or ssh). */
export type Verification = {
  /** What has to be signed: the commit, the tag that is followed, or both. */
  readonly mode: 'head' | 'tag' | 'all'
  readonly keys: readonly PublicKeyFrom[]
}

export type PublicKeyFrom = SecretFrom | { readonly text: string }

export type SourceDeclared =
  | {
      readonly kind: 'git'
      readonly url: string
      /** A branch, a tag or a commit. */
      readonly ref: string
      readonly credential: Credential | undefined
      readonly submodules: boolean
      /** Unset: signatures are not looked at. */
      readonly verify?: Verification
      /** Rules as in a .gitignore, over the files of a snapshot: what they match is not there. */
      readonly ignore?: string
      /** Only files in these folders are in the snapshot. */
      readonly only?: readonly string[]
      /** How long asking may take, and fetching, ms; unset: as long as is usual. */
      readonly timeout?: number
    }
  | { readonly kind: 'directory'; readonly path: string }
  /** What another controller made of a source and serves: `OCIRepository/flux-system/podinfo`. */
  | { readonly kind: 'artifact'; readonly name: string }
  /** Rows of a table that only one kind of application reads. */
  | {
      readonly kind: 'table'
      /** The name of that kind. */
      readonly of: string
      /** The file that holds the table, and what else the kind knows it by; empty: the usual one of the kind. */
      readonly path: string
    }

/** A machine from which a kustomization may take a base. */
export type RemoteOrigin = {
  /** A host, or the beginning of a path there: `github.com/acme`. */
  readonly from: string
  readonly credential?: Credential | undefined
  readonly verify?: Verification
}

export type Window = {
  /** When the window opens: five fields of cron. */
  readonly schedule: string
  /** ms */
  readonly duration: number
  readonly timezone: string
  readonly action: 'allow' | 'deny'
}

/** Fields of one resource (`container/web-1`), by the paths that plans show. */
export type IgnoredFields = { readonly resource: string; readonly fields: readonly string[] }

export type AppPolicy = {
  /** How often the source is asked, ms; 0: only when told. */
  readonly interval: number
  readonly suspended: boolean
  readonly prune: boolean
  readonly drift: 'revert' | 'flag' | 'ignore'
  /** `flag` as the origin had it: every difference waits for an acknowledgement, new commits too. */
  readonly flagsEverything: boolean
  readonly rollback: 'auto' | 'manual' | 'never'
  /** What is done when the application is not well; unset: it is restarted. */
  readonly health?: 'restart' | 'rollback' | 'alert'
  /** How long after a change restarts that do not hold lead back to what ran before, ms; unset: ten minutes. */
  readonly probation?: number
  /** Images of so many earlier versions are kept, older ones removed; unset: all are kept. */
  readonly keepImages?: number
  /** What docker compose started under its name: taken over where it can stay as it is, in any case, or never; unset: never. */
  readonly adopt?: 'matching' | 'all' | 'never'
  /** Fields that may be changed by hand; unset: none. */
  readonly ignore?: readonly IgnoredFields[]
  readonly windows: readonly Window[]
  /** Keys of applications (`stack:db`) that must be synced first. */
  readonly dependsOn: readonly string[]
  /** ms */
  readonly timeout: number
  /** Whatever fails and was not rolled back is tried again, at the latest after this, ms; unset: only what may pass by itself. */
  readonly retryInterval?: number
  readonly concurrency: number
  /** Words of the operator's own. Tokens and lists select applications by them. */
  readonly labels?: Readonly<Record<string, string>>
  /** Files that hold the age keys for what is encrypted with SOPS in a stack or a chart. */
  readonly decryption?: { readonly keyFiles: readonly string[] }
  /** For this revision (its first seven digits or more) the operator says that most or all resources are meant to be removed. */
  readonly removesFor?: string
  readonly security: Policy
}

/** One application of the service, as declared or as found in a declared tree. */
export type Declared = {
  readonly application: Application
  readonly source: SourceDeclared
  /** The folder in the source, '' for its root. */
  readonly path: string
  /** For a stack: its Compose files relative to the folder; empty: the usual names. */
  readonly files: readonly string[]
  readonly profiles: readonly string[]
  /** A chart's values; a stack's variables for interpolation, all texts; the spec of a kustomization. */
  readonly values: Readonly<Record<string, Json>>
  /** As `--target` has it; undefined: the one that is found. */
  readonly target: string | undefined
  readonly policy: AppPolicy
  /** The place where an operator can change the declaration. */
  readonly at: Place | undefined
  /** Who declares it, where no file does. When such a declaration ends, the application is left running unless it is told to leave. */
  readonly from?: string
  /** Its runs render it themselves, when they hold the lease (`Ports.render`): no snapshot of its source is taken. */
  readonly isRenderedByRuns?: true
  /** Set for an application that comes from no source and is kept as its last run left it: the record of that run. */
  readonly record?: ApplicationRecord
}

/** An application that is removed because somebody said so of this very application. Guards over many removals do not count it. */
export type Leaving = {
  readonly application: Application
  readonly target: string | undefined
  /** Whether everything that the application made is removed with it. */
  readonly removes: boolean
}

/** A source that is asked for new revisions even where no application comes from it. */
export type SourceKept = { readonly source: SourceDeclared; readonly interval: number }

/** A declaration that stands for all stacks and charts in a tree. */
export type Discovery = {
  readonly name: string
  readonly source: SourceDeclared
  readonly path: string
  readonly depth: number
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Put before the name of each project; empty: nothing is. */
  readonly prefix: string
  readonly target: string | undefined
  readonly values: Readonly<Record<string, Json>>
  readonly policy: AppPolicy
  /** Whether an application that was found and is gone from the tree is removed. */
  readonly removesGone: boolean
  /** Applications are found and named as docker-cd does it: stacks alone, each with its one file. */
  readonly isOrigin?: boolean
  readonly at: Place | undefined
}

export type AlertChannel = {
  readonly name: string
  readonly kind: 'webhook' | 'slack' | 'discord' | 'ntfy' | 'email'
  readonly url: SecretFrom | { readonly text: string }
  readonly secret: SecretFrom | undefined
  /** For email: from, to, user. */
  readonly settings: Readonly<Record<string, string>>
}

export type HookDeclared = {
  readonly kind: 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'generic'
  readonly secret: SecretFrom | undefined
  /** The hook works without a secret. Only the operator can say so. */
  readonly isOpen: boolean
  /** The hook counts only for pushes to this source. */
  readonly source?: SourceDeclared
}

export type CommitStatusDeclared = {
  readonly kind: 'github' | 'gitlab' | 'gitea'
  readonly api: string
  readonly repository: string
  readonly token: SecretFrom
}

/** All that the service is told, from files and variables. */
export type Declarations = {
  readonly apps: readonly Declared[]
  readonly discoveries: readonly Discovery[]
  readonly sources?: readonly SourceKept[]
  readonly leaving?: readonly Leaving[]
  /** Applications under way at once in the whole service. */
  readonly concurrency: number
  /** Off: nothing is applied, and only what is wanted is read again. */
  readonly isEnabled: boolean
  readonly listen: {
    readonly host: string
    readonly port: number
    /** The service answers without a token. Only the operator can say so. */
    readonly isOpen?: boolean
    /** Names that an open service answers to besides its addresses. */
    readonly hosts?: readonly string[]
  }
  /** Unset: only tokens open the service. */
  readonly login?: LoginDeclared
  /** How much of the audit log is kept, and whether each row is a line of the log too. */
  readonly audit?: { readonly kept: AuditKept; readonly isLogged: boolean }
  /** Only docker-cd's `GET /` shows it. */
  readonly projectName: string
  readonly hooks: readonly HookDeclared[]
  readonly alerts: {
    readonly failures: number
    /** ms */
    readonly after: number
    readonly channels: readonly AlertChannel[]
  }
  readonly commitStatus: readonly CommitStatusDeclared[]
  readonly log: { readonly level: 'debug' | 'info'; readonly format: 'text' | 'json' }
  /** Unset: bases on other machines are refused. */
  readonly remoteBases?: readonly RemoteOrigin[]
  /** What rendering one application may cost: ms, bytes; unset: the usual. */
  readonly render?: { readonly timeout?: number; readonly memory?: number }
  /** Where this machine's folder of files lies for the engine, when that sees another file system. */
  readonly hostFiles: string | undefined
  /** Variables of docker-cd declared all this: its project names and labels are used, and it is warned where others would be denied. */
  readonly isOrigin: boolean
  readonly warnings: readonly string[]
}
