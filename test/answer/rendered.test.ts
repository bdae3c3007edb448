import { expect, it } from 'vitest'
import { shownBy, validateCallback } from 'commandry/interactions'
import { accepted } from '../support/found.ts'
import { typing } from '../support/invoked.ts'
import { interaction, modal, search, suggestions } from './answers.ts'

it.each([
  [
    { type: 4, data: { content: 'x', flags: 64 } },
    { kind: 'message', content: 'x', ephemeral: true },
  ],
  [
    { type: 4, data: { embeds: [{ title: 't' }] } },
    { kind: 'message', content: '', ephemeral: false },
  ],
  [
    { type: 5, data: { flags: 64 } },
    { kind: 'thinking', ephemeral: true },
  ],
  [{ type: 5 }, { kind: 'thinking', ephemeral: false }],
  [modal({ title: 'Tell' }), { kind: 'modal', title: 'Tell' }],
  [{ type: 12 }, { kind: 'activity' }],
  [{ type: 10 }, { kind: 'premium_required' }],
])('shownBy renders %j', (callback, seen) => {
  expect(shownBy(interaction, accepted(validateCallback(interaction, callback)))).toMatchObject(seen)
})

it('[2.10-02] [2.10-03] shownBy renders suggestions in the language of the user', () => {
  const choices = [
    { name: 'Newest', name_localizations: { de: 'Neueste', 'es-ES': 'Lo nuevo' }, value: 'new' },
  ]
  const seen = (locale: 'de' | 'es-419' | 'fr') => {
    const to = typing(search, { focused: 'query', locale })
    return shownBy(to, accepted(validateCallback(to, suggestions(choices))))
  }
  expect(seen('de')).toEqual({ kind: 'choices', choices: [{ name: 'Neueste', value: 'new' }] })
  expect(seen('es-419')).toMatchObject({ choices: [{ name: 'Lo nuevo' }] })
  expect(seen('fr')).toMatchObject({ choices: [{ name: 'Newest' }] })
})
