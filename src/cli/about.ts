/** What this program is: its version, the commit that it was built from, and the Node that runs it. */
import manifest from '#package' with { type: 'json' }

export type About = {
  readonly version: string
  readonly document: {
    readonly version: string
    /** Null when it runs from source. */
    readonly commit: string | null
    /** When that commit was made. */
    readonly date: string | null
    readonly node: string
    readonly platform: string
  }
}

export function about(): About {
  const { version } = manifest
  return {
    version,
    document: {
      version,
      // the build puts texts in the place of these two
      commit: process.env.TEND_COMMIT ?? null,
      date: process.env.TEND_COMMIT_DATE ?? null,
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    },
  }
}
