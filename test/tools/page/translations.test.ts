import { expect } from 'vitest'
import { describePage, it, post } from './open.ts'
import { app } from '../../support/fixtures.ts'

const commands = [
  {
    name: 'ban',
    description: 'Ban a member',
    name_localizations: { de: 'bannen' },
    description_localizations: { de: 'Mitglied bannen', 'es-ES': 'Vetar a un miembro' },
    options: [{ type: 4, name: 'days', description: 'Days', choices: [{ name: 'One', value: 1 }] }],
  },
]

it('[2.10-03] [2.10-05] marks translations, fallbacks and defaults', async ({ made }) => {
  await made.deploy(commands)
  const query = { app, left: 'de', right: 'es-419' }
  const { coverage, commands: list } = await post(made, 'translations', query)
  expect(coverage[0]).toEqual({ locale: 'de', percent: 40, missing: 3 })
  expect(coverage).toHaveLength(34)
  expect(list[0].rows.map(({ label, left, right }: any) => [label, left.from, right.from])).toEqual([
    ['name', 'de', null],
    ['description', 'de', 'es-ES'],
    ['days, name', null, null],
    ['days, description', null, null],
    ['days, choice 1', null, null],
  ])
})

describePage('the Translations view', (page) => {
  const load = async (query: string) => {
    await page.open(commands, `?view=translations${query}`)
    await page.has('.row button')
  }

  it('shows missing texts of a language with the texts that readers see instead', async () => {
    await load('&lang=es-419')
    await page.starts('.toolbar .check', 'only missing (5)')
    await page.starts('td.fallback', 'missing: es-ES Vetar a un miembro')
    await page.becomes(`document.querySelector('.fallback bdi').lang`, 'es-ES')
    await page.button('de 40%')
    await page.counts('.hole', 3)
  })

  it('opens pasted texts in the Editor, checked, by keyboard', async () => {
    await load('&lang=de')
    await page.focusButton('Paste translations')
    await page.keys('Enter')
    await page.has('#translations')
    const holes = { '/ban': { 'days, name': '', 'days, description': '', 'days, choice 1': '' } }
    await page.becomes(`document.getElementById('translations').value`, JSON.stringify(holes, null, 2))
    const filled = { '/ban': { 'days, name': 'Tage', 'days, choice 1': 'Eins' } }
    await page.set('#translations', JSON.stringify(filled))
    await page.button('Open in the Editor')
    await page.counts('.findings li', 1)
    await page.starts('.finding', /name in de/)
    await page.becomes(`document.getElementById('source').value`, /"de": "Eins"/)
  })

  it('names the problem of pasted text that is not JSON', async () => {
    await load('&lang=de')
    await page.button('Paste translations')
    await page.set('#translations', '{')
    await page.button('Open in the Editor')
    await page.starts('.notice', /cannot be used/)
  })
})
