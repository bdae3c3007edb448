/** Counts what people use of a bot, and what it shows them. */
import { BoundedMap } from '../../core/bounded-map.ts'
import { isObject } from '../../core/json.ts'
import { InvocationError } from '../../interactions/client/invocation-error.ts'
import { subcommandOptions } from '../../interactions/usage/match.ts'
import type { ApplicationCommand, CommandOption } from '../../model/command-definition.ts'
import { CommandType, InteractionContext, isNesting } from '../../model/command-types.ts'
import { isThread } from '../../model/server.ts'
import { knownFields, type AnyInteraction } from '../../model/interaction-payload.ts'
import { InteractionType } from '../../model/interaction-types.ts'
import { componentName, componentWithId, reactionName, usableComponents } from '../test-code/typed-text.ts'
import type { Rendered } from '../../interactions/answer/rendered.ts'
import type { BotCoverage, CommandCoverage, UseOutcome } from './coverage.ts'

/** The names of buttons, menus and modals, which a bot may make up without end. */
const MAX_COMPONENTS = 5_000

interface Uses {
  readonly outcomes: { [Outcome in UseOutcome]: number }
  readonly options: Map<string, number>
  readonly people: Map<string, number>
  readonly places: Map<string, number>
}

const noUses = (): Uses => ({
  outcomes: { answered: 0, refused: 0, failed: 0 },
  options: new Map(),
  people: new Map(),
  places: new Map(),
})

export class CoverageLog {
  /** By the names of a command and its subcommand, separated by spaces. */
  readonly #uses = new BoundedMap<string, Uses>(MAX_COMPONENTS)
  readonly #components = new BoundedMap<string, number>(MAX_COMPONENTS)
  readonly #refusals = new Map<string, number>()

  /** Counts a use that reaches the bot, and what it shows then. @param rank of the person, such as `moderator` */
  async counting<Answer extends { readonly rendered: Rendered }>(
    interaction: AnyInteraction,
    rank: string,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    try {
      const answer = await ask()
      this.#used(interaction, rank, true)
      if (answer.rendered.kind === 'modal') this.#shows([answer.rendered.title])
      return answer
    } catch (error) {
      this.#used(interaction, rank, false)
      throw error
    }
  }

  #used(interaction: AnyInteraction, rank: string, isAnswered: boolean): void {
    const { type, data } = interaction
    if (type === InteractionType.APPLICATION_COMMAND) {
      const { name, options } = data as { readonly name: string; readonly options?: readonly Given[] }
      const { words, given } = nestedIn(options)
      const uses = this.#of([name, ...words].join(' '))
      uses.outcomes[isAnswered ? 'answered' : 'failed']++
      for (const option of given) add(uses.options, option.name)
      add(uses.people, rank)
      add(uses.places, placeOf(interaction))
    } else if (type === InteractionType.MESSAGE_COMPONENT) {
      const { custom_id: id } = data as { readonly custom_id: string }
      const { message } = knownFields(interaction) as { readonly message: { readonly components?: unknown } }
      const component = componentWithId(message.components, id)
      if (component !== undefined)
        add(this.#components, reactionName(componentName(component, usableComponents(message.components))))
    }
  }

  /** Counts a submission of a modal, by its title. */
  submitted(title: string): void {
    add(this.#components, reactionName(title))
  }

  /** Counts a use that is refused before it reaches the bot. @param path the command as typed */
  async sending<T>(path: string, use: Promise<T>): Promise<T> {
    try {
      return await use
    } catch (error) {
      if (error instanceof InvocationError) {
        add(this.#refusals, error.code)
        this.#of(path.replace(/^\//, '')).outcomes.refused++
      }
      throw error
    }
  }

  /** Notes the buttons and menus of a message of the bot. */
  shows(message: { readonly components?: unknown }): void {
    const components = usableComponents(message.components)
    this.#shows(components.map((one) => componentName(one, components)))
  }

  #shows(names: readonly string[]): void {
    for (const name of names.map(reactionName)) this.#components.set(name, this.#components.get(name) ?? 0)
  }

  /** What was used of some commands. */
  coverageOf(commands: readonly ApplicationCommand[]): BotCoverage {
    return {
      version: 1,
      commands: commands.flatMap((command) => {
        const nested = subcommandOptions(command)
        const { name, options = [] } = command
        if (nested.length === 0) return [this.#coverageOf(command, name, options)]
        return nested.map(({ path, option }) =>
          this.#coverageOf(command, `${name} ${path}`, (option.options ?? []) as readonly CommandOption[]),
        )
      }),
      components: Object.fromEntries(this.#components),
      refusals: Object.fromEntries(this.#refusals),
    }
  }

  #coverageOf(
    { type }: ApplicationCommand,
    path: string,
    options: readonly Pick<CommandOption, 'name'>[],
  ): CommandCoverage {
    const { outcomes, options: given, people, places } = this.#uses.get(path) ?? noUses()
    return {
      command: type === CommandType.CHAT_INPUT ? `/${path}` : path,
      outcomes: { ...outcomes },
      options: Object.fromEntries(options.map(({ name }) => [name, given.get(name) ?? 0])),
      people: Object.fromEntries(people),
      places: Object.fromEntries(places),
    }
  }

  #of(path: string): Uses {
    const known = this.#uses.get(path) ?? noUses()
    this.#uses.set(path, known)
    return known
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** A value of an option in an interaction, or a subcommand with its values. */
interface Given {
  readonly type: number
  readonly name: string
  readonly options?: readonly Given[]
}

function nestedIn(options: readonly Given[] = []): {
  readonly words: readonly string[]
  readonly given: readonly Given[]
} {
  const [first] = options
  if (first === undefined || !isNesting(first.type)) return { words: [], given: options }
  const { words, given } = nestedIn(first.options)
  return { words: [first.name, ...words], given }
}

function placeOf(interaction: AnyInteraction): string {
  const { context, channel } = interaction as { readonly context?: unknown; readonly channel?: unknown }
  if (context === InteractionContext.BOT_DM) return 'dm'
  if (context === InteractionContext.PRIVATE_CHANNEL) return 'group'
  return isObject(channel) && isThread(channel as { type: number }) ? 'thread' : 'server'
}
