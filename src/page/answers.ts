/** The answers to the questions of the page, as JSON for its browser part. */
import type { AppMessage } from '../answer/message.ts'
import type { Rendered } from '../answer/rendered.ts'
import type { CommandType } from '../command/types.ts'
import type { Position, Span } from '../core/locate.ts'
import type { Edit, Path } from '../core/rule.ts'
import type { AnyInteraction, InteractionMessage } from '../interaction/payload.ts'
import type { CommandPermission, PermissionTargetType } from '../permission/entry.ts'
import type { ServerSettings } from '../world/server.ts'
import type { AccessStep } from '../permission/trace.ts'
import type { PickerEntry } from '../picker/picker.ts'

/** The choices of person and place: applications with commands or from the configuration, servers, languages. */
export interface About {
  readonly applications: readonly { readonly id: string; readonly name: string }[]
  readonly servers: readonly ServerSettings[]
  /** Each with its key, its own name and its English name. */
  readonly locales: readonly (readonly [key: string, native: string, english: string])[]
}

/** A command or a subcommand that a person can choose, in their language. */
export interface CommandEntry extends Omit<PickerEntry, 'command'> {
  readonly id: string
  /** Whether it belongs to this server alone. */
  readonly local: boolean
}

/** A step of a decision, for people. */
export type TraceStep = Pick<AccessStep, 'step' | 'outcome' | 'text'> & {
  readonly name: string
  readonly otherwise: string | null
}

/** A command that is not offered, and why. */
export interface HiddenEntry extends Omit<CommandEntry, 'options' | 'local'> {
  readonly why: readonly string[]
  /** The first reason in a few words, to group by. */
  readonly reason: string
  readonly trace: readonly TraceStep[]
}

/** The commands that a person can choose, and those that are hidden from them. */
export interface PickerAnswer {
  readonly entries: readonly CommandEntry[]
  readonly hidden: readonly HiddenEntry[]
  /** The ways the app can be installed here: 0 in the server, 1 by the person. */
  readonly installable: readonly number[]
}

/** One command: whether a person sees it, why, and its overrides. */
export interface CommandAnswer {
  readonly name: string
  readonly type: CommandType
  readonly shown: boolean
  /** Sentences; empty when the command is shown. */
  readonly why: readonly string[]
  readonly trace: readonly TraceStep[]
  readonly facts: readonly (readonly [name: string, text: string])[]
  /** Characters of the longest language of each text, and how many are allowed; null for context menu commands. */
  readonly size: { readonly used: number; readonly most: number } | null
  readonly overrides: readonly { readonly of: string; readonly target: string; readonly allowed: boolean }[]
}

/** Whether a viewer may use a command: allowed or denied by default, by an override, or not available at all. */
export type CellState = 'allowed' | 'override' | 'denied' | 'lacks' | 'unavailable'

/** A column of the matrix: a role, a person or a channel. */
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
  /** Permissions are those of whole commands, so subcommands are no rows. */
  readonly subcommands: readonly string[]
  /** Its own overrides as they are stored. */
  readonly stored: readonly CommandPermission[]
  /** Its own overrides, stored and staged; without any it is synced with the app. */
  readonly entries: readonly CommandPermission[]
  readonly cells: readonly CellState[]
}

/** The matrix of commands and roles, people or channels. */
export interface AccessAnswer {
  readonly columns: readonly Column[]
  readonly rows: readonly AccessRow[]
  /** Why the selected cell is as it is. */
  readonly selected: { readonly why: readonly string[]; readonly trace: readonly TraceStep[] } | null
}

/** A problem, with the rule it breaks. */
export interface Problem {
  readonly code: string
  readonly message: string
  /** Where, in words; empty for the whole. */
  readonly place: string
  readonly path: Path
  /** The summary of the rule, the code of Discord's error (may be empty), and the address in the docs. */
  readonly rule: { readonly summary: string; readonly wire: string; readonly docs: string } | null
}

/** The result of a use. */
export type UseAnswer =
  | {
      readonly ok: true
      readonly interaction: AnyInteraction | null
      readonly message: InteractionMessage | null
      /** The reply of the bot; null if none is connected or the service answers by itself. */
      readonly reply: BotReply | null
      /** The use as code of a test; empty for components. */
      readonly test: string
    }
  | {
      readonly ok: false
      readonly code: string
      readonly message: string
      readonly issues: readonly Problem[]
    }

/** The reply of a bot as the person sees it, with its problems. */
export interface BotReply {
  readonly shown: Rendered
  /** The messages of the answer. */
  readonly messages: readonly ShownMessage[]
  /** Why there is no answer, in a word: `timeout`, `unreachable`; empty for an answer. */
  readonly failure: string
  readonly issues: readonly Problem[]
}

/** The problems of a reply that is written by hand, and a valid one as the person sees it. */
export interface HandWrittenReply extends Pick<BotReply, 'messages' | 'issues'> {
  readonly shown: Rendered | null
}

/** A message as a person sees it now. */
export interface ShownMessage {
  readonly message: AppMessage
  /** Whether the app changed it after it was complete. */
  readonly isEdited: boolean
  readonly isDeleted: boolean
}

/** The connection to a bot. */
export interface BotState {
  /** Where interactions are sent; empty for nowhere. */
  readonly url: string
  /** Ed25519, for the environment of the bot. */
  readonly publicKey: string
  /** The problems of the handshake, in words; null before a handshake. */
  readonly problems: readonly string[] | null
}

/** A file with definitions, as the command line was given it. */
export interface DefinitionFile {
  readonly name: string
  /** The JSON in it, or that of what a module exports. */
  readonly text: string
  /** Modules are shown and not edited. */
  readonly isReadOnly: boolean
  /** The errors of the file and of its definitions, each with its line in the file if that is known. */
  readonly errors: readonly { readonly line: number | null; readonly text: string }[]
}

/** A fix that a person can choose: its label, and edits of the text. */
export interface FixOffer {
  readonly label: string
  readonly edits: readonly Edit[]
}

/** A problem of a definition, at its place in the text. */
export interface EditorIssue extends Problem, Position {
  readonly level: 'error' | 'warning'
  /** The safe fix, or several to choose from; empty if only the author can decide. */
  readonly fixes: readonly FixOffer[]
}

/** A command, or one of its subcommands, as it is typed. */
export interface PreviewLine extends Span {
  readonly name: string
  readonly description: string
  readonly options: readonly (Span & { readonly name: string; readonly required: boolean })[]
  /** Why the person does not see it, in a few words; empty when they do, or when that is unknown. */
  readonly hidden: string
}

/** The issues of a text of definitions, and a preview of its commands. */
export interface CheckAnswer {
  readonly findings: readonly EditorIssue[]
  readonly count: number
  /** The commands as the person sees them, with their places in the text. */
  readonly preview: readonly PreviewLine[]
  /** Characters of the largest command, and how many are allowed. */
  readonly size: { readonly used: number; readonly most: number }
}

/** A command that a deploy would create, change or delete. */
export interface PlannedChange {
  readonly id: string
  readonly label: string
  /** The differences, a line each. */
  readonly differences: readonly string[]
  /** The permissions that would be lost. */
  readonly loses: readonly string[]
  /** The created command that looks like this deleted one, by its place among the definitions; null without any. */
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
  /** How many commands of each limited kind there would be: `Slash commands 14 of 100`. */
  readonly counts: readonly string[]
  /** How many permission entries would be lost. */
  readonly lost: number
}

/** One text as readers of a language see it, and where it comes from: the language, another one, or the default. */
export interface ShownText {
  readonly text: string
  readonly from: string | null
}

/** A text that can be translated. */
export interface TextRow {
  /** Where it stands in the command: `option days, description`. */
  readonly label: string
  readonly path: Path
  readonly left: ShownText
  readonly right: ShownText
}

/** The texts of all commands in two languages. */
export interface TranslationsAnswer {
  /** How far each language is: those that are used first. */
  readonly coverage: readonly {
    readonly locale: string
    readonly percent: number
    readonly missing: number
  }[]
  readonly commands: readonly { readonly name: string; readonly rows: readonly TextRow[] }[]
}

/** A request that came in, or an interaction that went out. */
export interface RecordedRequest {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly time: number
  /** `in` for requests to the service, `out` for interactions that were sent to an app. */
  readonly direction: 'in' | 'out'
  readonly method: string
  /** With tokens masked. */
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  /** The type of the credential: `Bot`, `Bearer` or empty; never the token. */
  readonly credential: string
  /** The result in a few words: `+1 ~1 -0`, `2 issues`, a hint for a wrong address. */
  readonly summary: string
  /** The events it caused: `command_created /ban`. */
  readonly events: readonly string[]
  readonly request: string
  readonly response: string
  /** The changes of a write, value by value. */
  readonly changes: readonly string[]
}

/** A notification for open pages: a new request, a changed reply, or changed commands or permissions. */
export type Notification =
  | { readonly type: 'request'; readonly id: number }
  | { readonly type: 'reply'; readonly interaction: string }
  | { readonly type: 'commands' }

/** A request as it is in a file. */
export interface SavedRequest extends RecordedRequest {
  /** The codes of the rules that the request breaks. */
  readonly codes: readonly string[]
}

/** A request as a row of a list, without bodies. */
export type RequestRow = Omit<SavedRequest, 'request' | 'response' | 'changes'>

/** A request with its bodies and its problems. */
export interface RequestAnswer extends RecordedRequest {
  readonly issues: readonly Problem[]
  /** The lines with a problem, of the request with one value a line. */
  readonly faults: readonly number[]
}
