import { expect } from 'vitest'
import { describePage, it, post } from '../../open.ts'
import { app } from '../../../../support/fixtures.ts'

const commands = [
  {
    name: 'ban',
    description: 'Ban a member',
    name_localizations: { de: 'bannen' },
    description_localizations: { de: 'Mitglied bannen', 'es-ES': 'Vetar a un miembro' },
    options: [
      { type: 4, name: 'days', description: 'Days', required: true, choices: [{ name: 'One', value: 1 }] },
    ],
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

  it('lets a translator find what is missing, fill it in, deploy it and see it in place', async () => {
    await page.open(commands, '?lang=de')
    await page.shows('.entry .name', '/bannen')
    await page.shows('.entry .option', 'days')
    await page.click('nav a[href*="translations"]')
    await page.starts('nav a[href*="translations"] .badge', /^3/)
    await page.shows('.hole', /^missing: +days$/, /Days$/, /One$/)
    await page.button('Paste translations')
    const texts = { 'days, name': 'Tage', 'days, description': 'Wie lange', 'days, choice 1': 'Eins' }
    await page.set('#translations', JSON.stringify({ '/ban': texts }))
    await page.button('Open in the Editor')
    // Names have no upper case.
    await page.counts('.findings li', 1)
    await page.button('Fix it')
    await page.counts('.findings li', 0)
    await page.button('Deploy…')
    await page.shows('.plan b:last-of-type', '/ban')
    await page.act(`document.querySelector('.foot button.main')`, 'click')
    await page.shows('.entry .option', 'tage')
    await page.becomes('location.search', /lang=de/)
    await page.click('#entry-0')
    await page.starts('.pill label', 'tage')
    await page.focus('#pill-days')
    await page.shows('#choices li', 'Eins')
    await page.click('nav a[href*="translations"]')
    await page.starts('.empty', /^\s*Everything is translated into Deutsch/)
    await page.counts('nav .badge', 0)
  })

  it('names the problem of pasted text that is not JSON', async () => {
    await load('&lang=de')
    await page.button('Paste translations')
    await page.set('#translations', '{')
    await page.button('Open in the Editor')
    await page.starts('.notice', /cannot be used/)
  })
})
