/** Everything that has a name, for the palette: views, commands, people, channels, languages. */
import { typedName } from '../../authoring/words.ts'
import { service } from './parts/ask.ts'
import { notify } from './parts/dom.ts'
import { action, isSlashOn, turnSlash, type Action } from './parts/palette.ts'
import { copy } from './parts/parts.ts'
import { distinct, go, languages, linkTo, linkWithSet, members, place, places, views } from './parts/place.ts'
import { personName, type Where, type View } from './parts/place.ts'
import { allEntries } from './views/member/draft.ts'
import { take } from './views/member/options.ts'
import { recordActions } from './parts/record-menu.ts'

const going = (kind: string, label: string, changes: Partial<Where>): Action =>
  action(kind, label, () => go(changes))

/** Copies the address of this place; in the page as one file, with the commands in it. */
export async function copyLink(): Promise<void> {
  await copy(service.isInPage ? await linkWithSet() : location.origin + linkTo({}))
  if (location.protocol === 'file:')
    notify('The link works on this disk only. To share the commands, send the file or an export.')
}

export function everything(): readonly Action[] {
  const isOn = isSlashOn()
  const commands = allEntries().map((entry) =>
    action('Command', typedName(entry), () => {
      if (place.view !== 'member') go({ view: 'member' })
      take(entry)
    }),
  )
  return [
    ...Object.entries(views).map(([view, name]) => going('View', name, { view: view as View })),
    ...commands,
    ...distinct(members().map((one) => ({ id: one.user.id, name: personName(one) }))).map(({ id, name }) =>
      going('Person', name, { as: id, roles: '' }),
    ),
    ...distinct(places()).map(({ id, name }) => going('Channel', name, { channel: id })),
    ...languages().map(({ id, name }) => going('Language', name, { lang: id })),
    ...(service.isInPage ? [] : recordActions()),
    action('Action', 'Copy a link to this', copyLink),
    action('Action', `Turn the shortcut / ${isOn ? 'off' : 'on'}`, () => turnSlash(!isOn)),
  ]
}
