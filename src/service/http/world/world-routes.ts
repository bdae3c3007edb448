/** The endpoints of the world, by resource. They exist only where there is a world. */
import { channelRoutes } from './channel-routes.ts'
import { emojiRoutes } from './emoji-routes.ts'
import { inviteRoutes } from './invite-routes.ts'
import { memberRoutes } from './member-routes.ts'
import { messageRoutes } from './message-routes.ts'
import { pollRoutes } from './poll-routes.ts'
import { pinRoutes } from './pin-routes.ts'
import { reactionRoutes } from './reaction-routes.ts'
import { roleRoutes } from './role-routes.ts'
import { serverRoutes } from './server-routes.ts'
import { threadRoutes } from './thread-routes.ts'
import { userRoutes } from './user-routes.ts'
import type { WorldRoute } from './visit.ts'
import { voiceRoutes } from './voice-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

export const worldRoutes: readonly WorldRoute[] = [
  ...userRoutes,
  ...serverRoutes,
  ...memberRoutes,
  ...roleRoutes,
  ...channelRoutes,
  ...threadRoutes,
  ...messageRoutes,
  ...pinRoutes,
  ...pollRoutes,
  ...reactionRoutes,
  ...webhookRoutes,
  ...inviteRoutes,
  ...emojiRoutes,
  ...voiceRoutes,
]
