/** A bot that acts in the world. What it needs is noted for the report of least privilege. */
import type { ServerUser } from '../../model/server.ts'
import { Party, type Permission } from './party.ts'
import type { World } from './world.ts'

export class ActingBot extends Party {
  readonly botId: string
  readonly name = 'the bot'

  /** @param botId the id of its application, which its user has too */
  constructor(world: World, botId: string) {
    super(world)
    this.botId = botId
  }

  get user(): ServerUser {
    return this.world.user(this.botId) ?? { id: this.botId, username: `application${this.botId}`, bot: true }
  }

  get reason(): string | null {
    return null
  }

  protected override noteUse(permissions: readonly Permission[]): void {
    this.world.access.used(this.botId, permissions)
  }

  protected override noteLack(permissions: readonly Permission[], place: string): void {
    this.world.access.refused(this.botId, permissions, place)
  }
}
