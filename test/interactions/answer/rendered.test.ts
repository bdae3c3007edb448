import { expect, it } from 'vitest'
import { shownBy, validateCallback } from 'commandry/interactions'
import { accepted } from '../../support/found.ts'
import { typing } from '../../support/invoked.ts'
import { interaction, modal, search, suggestions } from './answers.ts'

const { data: tell } = modal({ title: 'Tell' })
it.each<[number, object | undefined, object]>([
  [4, { content: 'x', flags: 64 }, { kind: 'message', content: 'x', ephemeral: true }],
  [4, { embeds: [{ title: 't' }] }, { kind: 'message', content: '', ephemeral: false }],
  [5, { flags: 64 }, { kind: 'thinking', ephemeral: true }],
  [5, undefined, { kind: 'thinking', ephemeral: false }],
  [9, tell, { kind: 'modal', title: 'Tell' }],
  [12, undefined, { kind: 'activity' }],
  [10, undefined, { kind: 'premium_required' }],
])('shownBy renders an answer of type %i with %j', (type, data, seen) => {
  expect(shownBy(interaction, accepted(validateCallback(interaction, { type, data })))).toMatchObject(seen)
})

it('[2.10-02] [2.10-03] shownBy renders suggestions in the language of the user', () => {
  const name_localizations = { de: 'Neueste', 'es-ES': 'Lo nuevo' }
  const choices = [{ name: 'Newest', name_localizations, value: 'new' }]
  const seen = (locale: 'de' | 'es-419' | 'fr') => {
    const to = typing(search, { focused: 'query', locale })
    return shownBy(to, accepted(validateCallback(to, suggestions(choices))))
  }
  expect(seen('de')).toEqual({ kind: 'choices', choices: [{ name: 'Neueste', value: 'new' }] })
  expect(seen('es-419')).toMatchObject({ choices: [{ name: 'Lo nuevo' }] })
  expect(seen('fr')).toMatchObject({ choices: [{ name: 'Newest' }] })
})
