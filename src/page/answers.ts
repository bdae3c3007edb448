/** The answers to the questions of the page, as JSON for its browser part. */
import type { Finding } from '../authoring/findings.ts'
import type { LiveMessage } from '../bot/conversations.ts'
import type { TrafficRequest } from '../bot/traffic.ts'
import type { Rendered } from '../answer/rendered.ts'
import type { ResponseError } from '../reference/response-errors.ts'
import type { Position, Span } from '../core/locate.ts'
import type { Path } from '../core/rule.ts'
import type { AnyInteraction, InteractionMessage } from '../interaction/payload.ts'
import type { CommandPermission, PermissionTargetType } from '../permission/entry.ts'
import type { ServerSettings } from '../world/server.ts'
import type { AccessStep } from '../permission/trace.ts'
import type { PickerEntry } from '../picker/picker.ts'

/** The choices of person and place. */
export interface About {
  readonly applications: readonly { readonly id: string; readonly name: string }[]
  readonly servers: readonly ServerSettings[]
  readonly locales: readonly (readonly [key: string, native: string, english: string])[]
}

/** A command or a subcommand that a person can choose; a `local` one belongs to this server alone. */
export interface CommandEntry extends Omit<PickerEntry, 'command'> {
  readonly id: string
  readonly local: boolean
}

/** A step of a decision, in the words of people. */
export type TraceStep = Pick<AccessStep, 'step' | 'outcome' | 'text'> & {
  readonly name: string
  readonly otherwise: string | null
}

/** A command that is not offered; `reason` is the first one in a few words, to group by. */
export interface HiddenEntry extends Omit<CommandEntry, 'options' | 'local'> {
  readonly why: readonly string[]
  readonly reason: string
  readonly trace: readonly TraceStep[]
}

export interface PickerAnswer {
  readonly entries: readonly CommandEntry[]
  readonly hidden: readonly HiddenEntry[]
  /** The ways the app can be installed here: 0 in the server, 1 by the person. */
  readonly installable: readonly number[]
}

/** Whether a viewer may use a command: by default, by an override, or not at all because it is not available. */
export type CellState = 'allowed' | 'override' | 'denied' | 'lacks' | 'unavailable'

/** A role, a person or a channel. */
export interface Column {
  readonly id: string
  readonly name: string
  readonly type: PermissionTargetType
}

/** A command, or the whole app under its own id. */
export interface AccessRow {
  readonly id: string
  readonly name: string
  readonly note: string
  readonly subcommands: readonly string[]
  readonly stored: readonly CommandPermission[]
  /** Stored and staged; without any the command is synced with the app. */
  readonly entries: readonly CommandPermission[]
  readonly cells: readonly CellState[]
}

export interface AccessAnswer {
  readonly columns: readonly Column[]
  readonly rows: readonly AccessRow[]
  /** Why the selected cell is as it is. */
  readonly selected: { readonly why: readonly string[]; readonly trace: readonly TraceStep[] } | null
}

/** A problem, with its place in words (empty for the whole), and the rule it breaks. */
export interface Problem extends ResponseError {
  readonly place: string
  readonly rule: { readonly summary: string; readonly wire: string; readonly docs: string } | null
}

/** The result of a use; `test` is the use as code of a test, empty for components. */
export type UseAnswer =
  | {
      readonly ok: true
      readonly interaction: AnyInteraction | null
      readonly message: InteractionMessage | null
      readonly reply: BotReply | null
      readonly test: string
    }
  | {
      readonly ok: false
      readonly code: string
      readonly message: string
      readonly issues: readonly Problem[]
    }

/** The reply of a bot as the person sees it; `failure` is why there is none, in a word. */
export interface BotReply {
  readonly shown: Rendered
  readonly messages: readonly ShownMessage[]
  readonly failure: string
  readonly issues: readonly Problem[]
}

/** A reply that is written by hand; `shown` is null while it is invalid. */
export interface HandWrittenReply extends Pick<BotReply, 'messages' | 'issues'> {
  readonly shown: Rendered | null
}

/** A message as a person sees it now. */
export type ShownMessage = Pick<LiveMessage, 'message' | 'isEdited' | 'isDeleted'>

/** The connection to a bot; `url` is empty for none, and `problems` are those of the handshake, null before one. */
export interface BotState {
  readonly url: string
  readonly publicKey: string
  readonly problems: readonly string[] | null
}

/** A file of the command line: the JSON in it, or that of what a module exports. Modules are read-only. */
export interface DefinitionFile {
  readonly name: string
  readonly text: string
  readonly isReadOnly: boolean
  readonly errors: readonly { readonly line: number | null; readonly text: string }[]
}

/** A problem of a definition, at its place in the text. */
export interface EditorIssue extends Problem, Position, Pick<Finding, 'level' | 'fixes'> {}

/** A command, or one of its subcommands, as it is typed. */
export interface PreviewLine extends Span {
  readonly name: string
  readonly description: string
  readonly options: readonly (Span & { readonly name: string; readonly required: boolean })[]
  /** Why the person does not see it; empty when they do, or when that is unknown. */
  readonly hidden: string
}

export interface CheckAnswer {
  readonly findings: readonly EditorIssue[]
  readonly count: number
  readonly preview: readonly PreviewLine[]
  /** Characters of the largest command, and how many are allowed. */
  readonly size: { readonly used: number; readonly most: number }
}

/** A command that a deploy would create, change or delete. */
export interface PlannedChange {
  readonly id: string
  readonly label: string
  readonly differences: readonly string[]
  /** The permissions that would be lost. */
  readonly loses: readonly string[]
  /** The created command that looks like this deleted one, by its place among the definitions. */
  readonly renamed: { readonly label: string; readonly index: number } | null
}

/** The changes of a deploy, or the reason why the service would refuse it. */
export interface PlanAnswer {
  readonly refused: string
  readonly issues: readonly Problem[]
  readonly deletes: readonly PlannedChange[]
  readonly updates: readonly PlannedChange[]
  readonly creates: readonly PlannedChange[]
  readonly unchanged: readonly string[]
  readonly createsLeft: number
  /** `Slash commands 14 of 100` */
  readonly counts: readonly string[]
  readonly lost: number
}

/** One text as readers of a language see it; null for the default text. */
export interface ShownText {
  readonly text: string
  readonly from: string | null
}

/** A text that can be translated; its label is `option days, description`. */
export interface TextRow {
  readonly label: string
  readonly path: Path
  readonly left: ShownText
  readonly right: ShownText
}

export interface TranslationsAnswer {
  /** Languages that are used come first. */
  readonly coverage: readonly {
    readonly locale: string
    readonly percent: number
    readonly missing: number
  }[]
  readonly commands: readonly { readonly name: string; readonly rows: readonly TextRow[] }[]
}

/** A request to the service (`in`), or an interaction that was sent to an app (`out`). */
export interface RecordedRequest extends Omit<TrafficRequest, 'kind' | 'status' | 'isUnmatched'> {
  readonly status: number
}

/** A notification for open pages. */
export type Notification =
  | { readonly type: 'request'; readonly id: number }
  | { readonly type: 'reply'; readonly interaction: string }
  | { readonly type: 'commands' }

/** A request as it is in a file, with the codes of the rules it breaks. */
export interface SavedRequest extends RecordedRequest {
  readonly codes: readonly string[]
}

/** A request as a row of a list, without bodies. */
export type RequestRow = Omit<SavedRequest, 'request' | 'response' | 'changes'>
