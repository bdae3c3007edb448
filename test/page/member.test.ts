import { expect, it } from 'vitest'
import { globalScope } from 'commandry'
import { app, describePage, expectCalm, guild } from './open.ts'

const hostile = '<img src=x onerror=alert(1)>'
const remind = {
  name: 'remind',
  description: 'Remind me',
  name_localizations: { de: 'erinnern' },
  options: [
    {
      type: 3,
      name: 'what',
      description: 'What',
      required: true,
      max_length: 5,
      name_localizations: { de: 'was' },
    },
    {
      ...{ type: 4, name: 'hours', description: 'When' },
      choices: [{ name: 'In an hour', value: 1, name_localizations: { de: 'In einer Stunde' } }],
    },
  ],
}
const commands = [
  remind,
  { name: 'ban', description: 'Ban', default_member_permissions: '4' },
  { type: 2, name: 'Report' },
  { type: 2, name: hostile },
  { type: 3, name: 'Translate' },
]

describePage('the Member view', (page) => {
  const load = async (query?: string) => {
    await page.registry.overwrite(globalScope(app), commands)
    await page.load(query)
    await page.tab.until(`document.querySelector('.entry') !== null`)
  }

  it('shows what the person sees, what is hidden by reason, and no markup of names', async () => {
    await load()
    expect(await page.texts('.entry .name')).toEqual(['/remind', hostile, 'Report', 'Translate'])
    expect(await page.texts('#hidden summary')).toEqual(['needs BAN_MEMBERS/ban'])
    expect(await page.tab.evaluate(`document.querySelectorAll('img').length`)).toBe(0)
    await page.set('.who select[title="3001"]', '3002')
    await page.tab.until(`document.querySelectorAll('.entry').length === 5`)
    expectCalm(page)
  })

  it('[2.11-01] sends a command with the keyboard alone: slash, letters, Enter, values, Enter', async () => {
    await load('?lang=de')
    await page.keys('/', "'erin'")
    await page.tab.until(`document.querySelectorAll('.entry').length === 1`)
    await page.keys('Enter')
    await page.tab.until(`document.activeElement.id === 'pill-what'`)
    await page.keys("'Katze'", 'Tab', 'Enter')
    await page.tab.until(`document.activeElement.id === 'pill-hours'`)
    await page.set('#pill-hours', '0')
    await page.focus('#pill-what')
    await page.keys('Enter')
    await page.tab.until(`document.querySelector('.use') !== null`)
    expect((await page.texts('.used'))[0]).toMatch(/^Ada used \/erinnern.*✓$/)
    await page.click('#tab-Interaction')
    await page.tab.until(`document.querySelector('pre') !== null`)
    const interaction = JSON.parse((await page.texts('pre'))[0]!)
    expect(interaction.data.options).toEqual([
      { name: 'what', type: 3, value: 'Katze' },
      { name: 'hours', type: 4, value: 1 },
    ])
    expect(interaction.locale).toBe('de')
    expect(await page.tab.evaluate(`document.activeElement.closest('main, aside') !== null`)).toBe(true)
    expectCalm(page)
  })

  it('marks the pill of a wrong value with the message of the library, and lets it be corrected', async () => {
    await load()
    await page.keys('/', "'rem'", 'Enter')
    await page.tab.until(`document.activeElement.id === 'pill-what'`)
    await page.keys("'much too long'", 'Enter')
    await page.tab.until(`document.querySelector('.pill.wrong') !== null`)
    expect((await page.texts('.pill .problem'))[0]).toMatch(/13 characters/)
    expect(await page.tab.evaluate(`document.getElementById('pill-what').getAttribute('aria-invalid')`)).toBe(
      'true',
    )
    expect(await page.texts('.used')).toEqual([expect.stringContaining('refused')])
    await page.set('#pill-what', 'short')
    await page.tab.until(`document.querySelector('.pill.wrong') === null`)
    await page.keys('Enter')
    await page.tab.until(`document.querySelectorAll('.use').length === 2`)
    expectCalm(page)
  })

  it('answers as the bot: checks the JSON while it is typed and draws what the person sees', async () => {
    await load()
    await page.keys('/', "'rem'", 'Enter')
    await page.tab.until(`document.activeElement.id === 'pill-what'`)
    await page.keys("'a'", 'Enter')
    await page.set('#reply', JSON.stringify({ type: 4, data: { content: 5 } }))
    await page.tab.until(`document.querySelector('#inspector .problems li') !== null`)
    await page.set(
      '#reply',
      JSON.stringify({ type: 4, data: { content: 'Done', flags: 64, embeds: [{ title: 'Box' }] } }),
    )
    await page.click('#inspector button.main')
    await page.tab.until(`document.querySelector('.use .bubble') !== null`)
    expect((await page.texts('.use .bubble'))[0]).toBe('only this person sees thisDoneEmbed Box')
    expectCalm(page)
  })

  it('uses commands of context menus on people and messages, from the keyboard', async () => {
    await load()
    await page.focus('.author')
    await page.keys('Enter')
    await page.tab.until(`document.querySelectorAll('#actions li').length === 2`)
    await page.keys("'rep'", 'Enter')
    await page.tab.until(`document.activeElement.id === 'send'`)
    await page.keys('Enter')
    await page.tab.until(`document.querySelector('.used') !== null`)
    expect((await page.texts('.used'))[0]).toContain('Ada used Report')
    expectCalm(page)
  })

  it('[2.9-08] says why the chosen command may be used or not, also when it may', async () => {
    const [, ban] = await page.registry.overwrite(globalScope(app), commands)
    await page.load()
    await page.tab.until(`document.querySelector('#inspector .verdict') !== null`)
    expect(await page.texts('#inspector .verdict')).toEqual(['Ada can use it here'])
    expect((await page.texts('#inspector .trace .allowed'))[0]).toContain('Required permissions')
    await page.registry.setPermissions(app, guild, ban!.id, [{ id: '3001', type: 2, permission: true }])
    await page.tab.until(`document.querySelectorAll('.entry').length === 5`)
    await page.registry.setPermissions(app, guild, ban!.id, [{ id: '3001', type: 2, permission: false }])
    await page.tab.until(`document.querySelectorAll('.entry').length === 4`)
    await page.click('#hidden summary')
    expect((await page.texts('#hidden .denied'))[0]).toContain("The command's entry for user 3001 denies it.")
    expectCalm(page)
  })

  it('[2.8-03] [2.8-05] shows the commands of a DM, where there are no permissions', async () => {
    await page.registry.overwrite(globalScope(app), [
      ...commands,
      { name: 'group', description: 'Groups', contexts: [2] },
    ])
    await page.load('?channel=group')
    await page.tab.until(`document.querySelector('.entry .name')?.textContent === '/group'`)
    expect(await page.texts('.entry .name')).toEqual(['/group'])
    expect(await page.texts('#inspector .trace')).toEqual([])
  })

  it('[2.9-08] lets a role be ticked, with the focus where it was while commands change', async () => {
    await load()
    await page.click('#who summary')
    await page.focus('#who input')
    await page.registry.upsert(globalScope(app), { name: 'new', description: 'New' })
    await page.keys(' ')
    await page.tab.until(`document.querySelectorAll('.entry').length === 6`)
    expect(await page.tab.evaluate(`[document.activeElement.type, document.activeElement.checked]`)).toEqual([
      'checkbox',
      true,
    ])
    expect(await page.tab.evaluate('location.search')).toContain('roles=5001')
    expectCalm(page)
  })

  it('opens the inspector as a dialog on a phone', async () => {
    await page.tab.resize(390, 844)
    await load()
    expect(await page.texts('#inspector')).toEqual([])
    await page.button('Details')
    await page.tab.until(`document.querySelector('dialog#inspector[open]') !== null`)
    await page.keys('Escape')
    await page.tab.until(`document.querySelector('dialog') === null`)
    expectCalm(page)
  })
})
