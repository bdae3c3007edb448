/** Sends the requests of a run as Discord asks: waits for its limits, and counts what was refused. */
import { setTimeout as delay } from 'node:timers/promises'
import { isObject } from '../../../core/json.ts'
import type { ProbeRequest } from '../../../reference/probes/probe.ts'
import type { ProbeResponse } from '../../../reference/probes/judge.ts'
import { CommandError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import type { Remote } from '../deployed/remote.ts'

/** A request that may have been carried out or not: without a response, or with one of 500 and above. */
export class UncertainError extends CommandError {}

/** Ends the run: what follows would fail too. */
export class StopError extends CommandError {}

/** Discord blocks an address after 10,000 responses of 401, 403 and 429 in ten minutes. */
const MOST_REFUSED = 80
/** So many failures in a row are those of the connection. */
const MOST_FAILURES = 12
/** The code of a create beyond those of the day, once with 400. */
const DAY_IS_OVER = 30_034
/** A longer wait, such as for the next day, is left to the person. */
const LONGEST_WAIT = 600

export type ProbeSender = (request: ProbeRequest, route?: string) => Promise<ProbeResponse>

export interface Sender {
  readonly send: ProbeSender
  /** How many requests were sent. */
  readonly count: () => number
}

/**
 * @param isPatient false for a service for tests: every response counts, without waits
 * @param signal ends waits, and refuses further requests
 */
export function senderOf(service: Remote, isPatient: boolean, signal?: AbortSignal): Sender {
  const free = new Map<string, number>()
  let sent = 0
  let refused = 0
  let failures = 0
  const wait = async (milliseconds: number) => {
    await delay(Math.max(0, milliseconds), undefined, { ...(signal && { signal }) }).catch(() => {})
    if (signal?.aborted) throw new StopError('interrupted')
  }
  const uncertain = ({ message }: CommandError) =>
    ++failures === MOST_FAILURES && isPatient ? new StopError(message) : new UncertainError(message)
  const send: ProbeSender = async ({ method, path, body, headers }, route = `${method} ${path}`) => {
    for (;;) {
      await wait((free.get(route) ?? 0) - performance.now())
      sent++
      const response = await service.send(method, path, body, headers).catch((error: CommandError) => {
        throw uncertain(error)
      })
      const { status, retryAfter, body: read, refused: refusal } = response
      if (status >= 500 && isPatient) throw uncertain(refusal())
      failures = 0
      if ([401, 403, 429].includes(status) && ++refused > MOST_REFUSED)
        throw new StopError(`${MOST_REFUSED} requests were refused with 401, 403 or 429`)
      const isOver = isObject(read) && read.code === DAY_IS_OVER
      // What is before Discord, and blocks an address, writes no JSON.
      const isBlocked = status === 403 && !isObject(read)
      // Other codes are about the token of an interaction or a webhook.
      const isUnknown = status === 401 && !(isObject(read) && Number(read.code) > 0)
      if (isOver || isBlocked || (isUnknown && headers?.authorization === undefined))
        throw new StopError(refusal().message)
      if (status !== 429) {
        if (isPatient && response.headers.get('x-ratelimit-remaining') === '0') {
          const seconds = Number(response.headers.get('x-ratelimit-reset-after')) || 0
          free.set(route, performance.now() + Math.min(seconds, LONGEST_WAIT) * 1_000)
        }
        return { status, body: read }
      }
      const seconds = isPatient ? (retryAfter ?? Infinity) : Infinity
      if (seconds > LONGEST_WAIT) throw new StopError(refusal().message)
      await wait(seconds * 1_000)
    }
  }
  return { send, count: () => sent }
}

/** How often what failed without a certain end is done again. */
const MOST_TRIES = 4

/** Does something again while its end is uncertain, with longer and longer waits. @throws UncertainError at last */
export async function persistently<T>(io: Io, isPatient: boolean, action: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await action()
    } catch (error) {
      if (!(error instanceof UncertainError) || !isPatient || tries === MOST_TRIES) throw error
      await delay(io.limits.retry * 4 ** (tries - 1))
    }
  }
}
