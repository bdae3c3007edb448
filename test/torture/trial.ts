/** What the torture runs, again and again. */

export interface Outcome {
  /** Calls whose result was compared with what is allowed. */
  readonly calls: number
  /** Kills, pauses, cuts, full disks or hostile requests. */
  readonly faults: number
  /** A figure beside them. */
  readonly note?: string
}

export interface Trial {
  readonly what: string
  readonly store: string
  /** Why it cannot run here; undefined when it can. */
  readonly missing?: string | undefined
  /** Throws when anything was lost. @param seed another one for each round */
  run(seed: number): Promise<Outcome>
  close?(): Promise<void>
}
