import { expect, it } from 'vitest'
import { globalScope, guildScope } from 'commandry'
import { describePage } from '../../../open.ts'
import { answer, inspect, row } from '../../../states.ts'
import { app, demoGuild as guild } from '../../../../../support/fixtures.ts'

const hostile = '<img src=x onerror=alert(1)>'
const hour = { name: 'In an hour', value: 1, name_localizations: { de: 'In einer Stunde' } }
const options = [
  { type: 3, name: 'what', name_localizations: { de: 'was' }, required: true, max_length: 5 },
  { type: 4, name: 'hours', choices: [hour] },
].map((option) => ({ ...option, description: 'What, or when' }))
const commands = [
  { name: 'remind', name_localizations: { de: 'erinnern' }, description: 'Remind me', options },
  { name: 'ban', description: 'Ban', default_member_permissions: '4' },
  { type: 2, name: 'Report' },
  { type: 2, name: hostile },
  { type: 3, name: 'Translate' },
]

describePage('the Member view', (page) => {
  const load = async (query?: string) => {
    await page.open(commands, query)
    await page.has('.entry')
  }

  /** Uses /remind with a text, by keyboard. */
  const remindOf = async (what: string) => {
    await page.keys('/', "'rem'", 'Enter')
    await page.hasFocus('pill-what')
    await page.keys(`'${what}'`, 'Enter')
  }

  const use = async (callback: object) => {
    await load()
    await remindOf('a')
    await answer(page, callback)
  }
  const goOn = async (message: object, button = 'Follow up') => {
    await page.set('#reply', JSON.stringify(message))
    await page.button(button)
  }

  it('lists visible commands, and hidden ones by reason, and makes no markup of names', async () => {
    await load()
    await page.shows('.entry .name', '/remind', hostile, 'Report', 'Translate')
    await page.shows('#hidden summary', 'needs BAN_MEMBERS/ban')
    await page.becomes(`document.querySelectorAll('img').length`, 0)
    await page.click('#person-100000000000003002')
    await page.counts('.entry', 5)
  })

  it('[2.11-01] sends a command with the keyboard alone: slash, letters, Enter, values, Enter', async () => {
    await load('?lang=de')
    await page.keys('/', "'erin'")
    await page.counts('.entry', 1)
    await page.keys('Enter')
    await page.hasFocus('pill-what')
    await page.keys("'Katze'", 'Tab', 'Enter')
    await page.hasFocus('pill-hours')
    await page.shows('#choices li', 'In einer Stunde')
    await page.keys('Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await page.starts('.used', /^Ada used \/erinnern.*✓ \d+ ms$/s)
    await page.hasFocus('composer')
    await inspect(page)
    await page.has('#inspector pre')
    const interaction = JSON.parse((await page.texts('pre'))[0]!)
    expect(interaction.data.options).toEqual([
      { name: 'what', type: 3, value: 'Katze' },
      { name: 'hours', type: 4, value: 1 },
    ])
    expect(interaction.locale).toBe('de')
  })

  it('offers the choices of an option as chips, for the keyboard and the thumb', async () => {
    const choices = ['Red', 'Green', 'Blue'].map((name, value) => ({ name, value }))
    const colour = { type: 4, name: 'colour', description: 'Which', required: true, choices }
    const options = [
      colour,
      { type: 6, name: 'whom', description: 'Whom', required: true },
      { type: 5, name: 'soon', description: 'Soon' },
    ]
    await page.open([{ name: 'paint', description: 'Paint', options }])
    await page.click('#entry-0')
    await page.hasFocus('pill-colour')
    await page.shows('#choices li', 'Red', 'Green', 'Blue')
    await page.keys("'e'", 'ArrowDown')
    await page.shows('#choices [aria-selected=true]', 'Green')
    await page.set('#pill-colour', 'blu')
    await page.keys('Tab')
    await page.hasFocus('pill-whom')
    await page.becomes(`document.getElementById('pill-colour').value`, 'Blue')
    await page.act(`document.querySelectorAll('#choices li')[1]`, 'click')
    await page.hasFocus('send')
    await page.counts('#choices', 0)
    await page.focus('#pill-colour')
    await page.shows('#choices .taken', 'Blue')
    await page.click('#add-soon')
    await page.hasFocus('pill-soon')
    await page.keys('ArrowDown', 'Enter')
    await page.click('#send')
    await inspect(page)
    await page.starts('#inspector pre', /"value": 2/)
    const interaction = JSON.parse((await page.texts('#inspector pre'))[0]!)
    expect(interaction.data.options.map(({ value }: any) => value)).toEqual([2, '100000000000003002', false])
    await page.keys('/', "'paint'", 'Enter')
    await page.hasFocus('pill-colour')
    await page.keys("'pink'")
    await page.click('#send')
    await page.starts('#pill-colour + .problem', /"pink"/)
  })

  it('marks the pill of an invalid value with the message of the library until it is corrected', async () => {
    await load()
    await remindOf('much too long')
    await page.has('.pill.wrong')
    await page.starts('.pill .problem', /13 characters/)
    await page.becomes(`document.getElementById('pill-what').getAttribute('aria-invalid')`, 'true')
    await page.shows('.used', /refused/)
    await page.set('#pill-what', 'short')
    await page.counts('.pill.wrong', 0)
    await page.keys('Enter')
    await page.counts('.use', 2)
  })

  it('says of a command that is hidden why, when its name is typed', async () => {
    await page.open([{ name: 'wipe', description: 'x', default_member_permissions: '8192' }])
    await page.focus('#composer')
    await page.keys("'/wi'")
    await page.starts('.empty h2', 'No command is shown here')
    await page.starts('.hidden-commands summary', /^needs MANAGE_MESSAGES\/wipe/)
    await page.keys("'pp'")
    await page.starts('.empty h2', 'No command has that name')
    await page.counts('.hidden-commands', 0)
  })

  it('checks an answer as the bot while it is typed, and draws it as the person sees it', async () => {
    await load()
    await remindOf('a')
    await page.click('.feed .dashed')
    await page.set('#reply', JSON.stringify({ type: 4, data: { content: 5 } }))
    await page.has('#inspector .problems li')
    await answer(page, { type: 4, data: { content: 'Done', flags: 64, embeds: [{ title: 'Box' }] } })
    await page.starts('.message .bubble', 'DoneBox')
    await page.shows('.only', 'Only you can see this')
  })

  it('shows nothing of the former use while another one is loading', async () => {
    const query = { type: 3, name: 'query', description: 'What', required: true }
    await page.open([{ name: 'search', description: 'Search', options: [query] }])
    for (const count of [1, 2]) {
      await page.click('#entry-0')
      await page.set('#pill-query', 'cats')
      await page.click('#send')
      await page.counts('.use', count)
      await page.set('#composer', '/')
      await page.has('.entry')
    }
    const answerUse = (nth: number) => page.act(`document.querySelectorAll('.use .dashed')[${nth}]`, 'click')
    await answerUse(0)
    await page.has('#reply')
    let release = () => {}
    const isHeld = new Promise<void>((resolve) => (release = resolve))
    await page.tab.route('**/ui/inspect', async (route) => {
      await isHeld
      await route.continue()
    })
    await answerUse(1)
    await page.starts('#inspector [aria-selected=true]', 'Interaction')
    await page.counts('#reply', 0)
    release()
    await page.has('#reply')
  })

  it('uses commands of context menus on people and messages, from the keyboard', async () => {
    await load()
    await page.focus('#composer')
    await page.keys("'Hello'", 'Enter')
    await page.focus('.author')
    await page.keys('Enter', "'report'", 'Enter')
    await page.hasFocus('send')
    await page.keys('Enter')
    await page.starts('.used', /Ada used Report/)
    await page.focus('.message .more')
    await page.keys('Enter', "'translate'", 'Enter')
    await page.hasFocus('send')
    await page.becomes(`document.getElementById('pill-target').value`, 'Ada: Hello')
    await page.keys('Enter')
    await page.counts('.use', 2)
    await inspect(page)
    await page.starts('#inspector pre', /"content": "Hello"/)
  })

  it('[2.9-08] explains why the chosen command can be used, or why not', async () => {
    const [, ban] = await page.open(commands)
    await page.click('.why')
    await page.shows('#inspector .verdict', 'Ada can use it here')
    await page.starts('#inspector .trace .allowed', /Required permissions/)
    await page.registry.setPermissions(app, guild, ban!.id, [
      { id: '100000000000003001', type: 2, permission: true },
    ])
    await page.counts('.entry', 5)
    await page.registry.setPermissions(app, guild, ban!.id, [
      { id: '100000000000003001', type: 2, permission: false },
    ])
    await page.counts('.entry', 4)
    await page.click('#hidden summary')
    await page.starts('#hidden .denied', /The command's entry for user Ada denies it\./)
  })

  it('says when a global command and one of the server have one name, and uses the one that is chosen', async () => {
    const [global] = await page.deploy([{ name: 'ping', description: 'Global' }])
    const local = await page.registry.upsert(guildScope(app, guild), { name: 'ping', description: 'Local' })
    await page.load()
    await page.shows('.entry .twice', 'this server, seen twice', 'global, seen twice')
    await page.click('.why')
    await page.becomes(
      `document.querySelector('#inspector .facts').textContent`,
      /Seen twicea global command has the same name \(id \d+\); people see both/,
    )
    for (const [index, id] of [local.command.id, global!.id].entries()) {
      await page.click(`#entry-${index}`)
      await page.hasFocus('send')
      await page.keys('Enter')
      await page.counts('.use', index + 1)
      await inspect(page)
      await page.starts('#inspector pre', new RegExp(`"id": "${id}"`))
      await page.focus('#composer')
      await page.keys('/')
      await page.counts('.entry', 2)
    }
  })

  it('[2.8-03] [2.8-05] shows the commands of a DM, where there are no permissions', async () => {
    await page.deploy([...commands, { name: 'group', description: 'Groups', contexts: [2] }])
    await page.load('?channel=group')
    await page.shows('.entry .name', '/group')
    await page.click('.why')
    await page.has('#inspector .verdict')
    await page.shows('#inspector .trace')
  })

  it('[2.9-08] adds a role to the person, and keeps the focus while commands change', async () => {
    await load()
    await page.click('#who summary')
    await page.focus('#who input')
    await page.registry.upsert(globalScope(app), { name: 'new', description: 'New' })
    await page.keys(' ')
    await page.counts('.entry', 6)
    await page.becomes(`document.activeElement.matches('[type=checkbox]:checked')`, true)
    await page.becomes('location.search', /roles=100000000000005001/)
  })

  it('keeps the newest answer and the list of commands in sight after a dozen uses', async () => {
    await page.open([{ name: 'ping', description: 'Ping' }])
    await page.has('.entry')
    for (let use = 1; use <= 12; use++) {
      await page.keys('/', "'ping'", 'Enter')
      await page.hasFocus('send')
      await page.keys('Enter')
      await page.counts('.use', use)
    }
    const isInSight = (selector: string) =>
      `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)([...document.querySelectorAll('${selector}')].at(-1).getBoundingClientRect())`
    await page.becomes(isInSight('.used'), true)
    await page.keys('/')
    await page.has('.entry')
    await page.becomes(isInSight('.entry'), true)
    await page.tab.evaluate(`document.querySelector('.stream').scrollTo({ top: -1000 })`)
    await page.registry.upsert(globalScope(app), { name: 'new', description: 'New' })
    await page.becomes(isInSight('.used'), false)
  })

  it('leads down to an answer that arrives while older ones are read', async () => {
    await page.resize(1280, 500)
    await use({ type: 5 })
    for (let count = 2; count <= 9; count++) {
      await page.focus('#composer')
      await remindOf('b')
      await page.counts('.used', count)
    }
    await page.tab.evaluate(`document.querySelector('.stream').scrollTo({ top: -5000 })`)
    await page.click('.message .used')
    await page.click('#tab-Reply')
    await goOn({ content: 'Done' })
    await goOn({ content: 'More' })
    await page.shows('.newer', '1 new message ↓')
    await page.click('.newer')
    await page.counts('.newer', 0)
  })

  it('draws Markdown, embeds and layouts of an answer as Discord does, and loads nothing', async () => {
    const fields = [
      { name: 'One', value: '1', inline: true },
      { name: 'Wide', value: '**2**' },
    ]
    await use({
      type: 4,
      data: {
        content: [
          '# Title',
          '**bold** *italic* __under__ ~~strike~~ `a*b` ||hidden|| <@100000000000003002> <#100000000000004001> <@&100000000000005001> <:wave:123> \\*plain\\*',
          '> quote',
          '- item',
          '1. first',
          '[text](https://example.com/x) <img src=x onerror=alert(1)>',
          '```js',
          'code **stays**',
          '```',
          'one',
          'two',
        ].join('\n'),
        embeds: [{ title: 'Embed', color: 0xff0000, fields, image: { url: 'https://example.com/cat.png' } }],
      },
    })
    await page.shows('.bubble .heading-1', 'Title')
    await page.shows('.bubble .mention', '@Grace', '#general', '@Moderators')
    await page.shows('.bubble blockquote', 'quote')
    await page.shows('.bubble li', '• item', '1. first')
    await page.shows('.bubble > pre', 'code **stays**')
    await page.starts(
      '.bubble p:not([class])',
      'bold italic under strike a*b spoilerhidden @Grace #general @Moderators :wave: *plain*',
    )
    await page.shows('.embed .wide b', 'Wide', '2')
    await page.shows('.embed .box', 'Image cat.png')
    await page.becomes(`getComputedStyle(document.querySelector('.embed')).borderLeftColor`, 'rgb(255, 0, 0)')
    await page.becomes(`document.querySelectorAll('img').length`, 0)
  })

  it('opens the inspector as a dialog on a phone', async () => {
    await page.resize(390, 844)
    await load()
    await page.counts('#inspector', 0)
    await remindOf('a')
    await page.has('.used')
    await inspect(page)
    await page.has('dialog#inspector[open]')
    await page.keys('Escape')
    await page.counts('dialog', 0)
  })

  it('[2.11-11] uses buttons, menus and modals of answers, each as an interaction of its own', async () => {
    const menu = { type: 3, custom_id: 'day', options: [{ label: 'Monday', value: 'mon' }] }
    const buttons = row({ type: 2, style: 1, custom_id: 'yes', label: 'Yes' })
    await use({ type: 4, data: { content: 'Sure?', components: [buttons, row(menu)] } })
    await page.act(`document.querySelector('.feed .bubble .main')`, 'click')
    await page.shows('.used', /used \/remind/, /^Ada pressed Yes/)
    await answer(page, { type: 7, data: { content: 'Which day?', components: [row(menu)] } })
    await page.shows('.message .bubble', /Which day\?.*\(edited\)/s)
    await page.click('.feed .bubble .pick button')
    await page.click('.picking li')
    await page.shows('.used', /used \/remind/, /^Ada chose Monday/)
    const input = { type: 4, custom_id: 'why', label: 'Why', style: 1, required: true }
    const days = ['Monday', 'Tuesday'].map((label) => ({ label, value: label, default: label === 'Tuesday' }))
    const menus = [days, menu.options].map((options, index) => {
      const component = { type: 3, custom_id: `menu${index}`, required: false, options }
      return { type: 18, label: 'When', component }
    })
    await answer(page, {
      type: 9,
      data: { custom_id: 'form', title: 'Reason', components: [row(input), ...menus] },
    })
    await page.focus('.modal input')
    await page.keys("'because'", 'Enter')
    await page.counts('dialog.modal', 0)
    await page.shows('.used', /used \/remind/, /^Ada chose Monday.*/, /^Ada submitted Reason/)
    await inspect(page)
    await page.starts('#inspector pre', /"value": "because"/)
    const [interaction = ''] = await page.texts('#inspector pre')
    const sent = JSON.parse(interaction).data.components.map(({ component }: any) => component?.values)
    expect(sent).toEqual([undefined, ['Tuesday'], []])
  })

  it('[2.11-11] chooses, checks and uploads in a modal', async () => {
    const labelled = (component: object, label: string) => ({ type: 18, label, component })
    const options = ['Red', 'Blue'].map((label) => ({ label, value: label.toLowerCase() }))
    const defaults = options.map((one) => ({ ...one, default: one.value === 'red' }))
    const components = [
      labelled({ type: 21, custom_id: 'radio', options: defaults }, 'Paint'),
      labelled({ type: 22, custom_id: 'group', options: defaults, required: false }, 'Extras'),
      labelled({ type: 23, custom_id: 'on', default: true }, 'Agree'),
      labelled({ type: 23, custom_id: 'off', default: true }, 'Remember'),
      labelled({ type: 19, custom_id: 'plan', max_values: 2, file_types: ['.json', 'video'] }, 'Plan'),
    ]
    await use({ type: 9, data: { custom_id: 'form', title: 'Order', components } })
    await page.shows('.modal label', 'Red', 'Blue', 'Red', 'Blue', 'Agree', 'Remember', 'Plan')
    await page.shows('.modal legend', 'Paint', 'Extras optional')
    await page.becomes(`document.querySelectorAll('.modal :checked').length`, 4)
    await page.becomes(`document.querySelector('.modal [name=plan]').accept`, '.json,.mp4,.mov,.qt,.webm')
    await page.click('.modal [name=radio][value=blue]')
    await page.click('.modal [name=group][value=red]')
    await page.click('.modal [name=off]')
    await page.click('.modal .main')
    await page.starts('.modal .problem', 'the file upload "Plan" takes 1 to 2 values; 0 are chosen')
    await page.file('.modal [name=plan]', 'plan.json', '{}')
    await page.click('.modal .main')
    await page.shows('.used', /used \/remind/, /submitted Order.*refused/s, /submitted Order/)
    await inspect(page)
    await page.starts('#inspector pre', /"filename": "plan.json"/)
    const { data } = JSON.parse((await page.texts('#inspector pre'))[0]!)
    const [id] = Object.keys(data.resolved.attachments)
    const sent = data.components.map(({ component: { value, values } }: any) => value ?? values)
    expect(sent).toEqual(['blue', [], true, false, [id]])
    const file = { filename: 'plan.json', size: 2, content_type: 'application/json' }
    expect(data.resolved.attachments[id!]).toMatchObject(file)
  })

  it('[2.11-11] shows edits and follow-ups as they arrive, through the public route', async () => {
    await use({ type: 5 })
    await page.shows('.feed .bubble', 'thinking…')
    await inspect(page)
    await page.click('#tab-Reply')
    await goOn({ content: 'Done' })
    await page.shows('.feed .bubble', 'Done')
    await goOn({ content: 'More' })
    await page.shows('.feed .bubble', 'Done', 'More')
    await goOn({ content: 'All done' }, 'Edit the answer')
    await page.shows('.feed .bubble', 'All done (edited)', 'More')
    await goOn({ content: [] })
    await page.starts('#inspector .problems li', /Invalid Form Body/)
    page.complains(/status of 400/)
  })

  it('refuses a modal without its required value, with the message of the library', async () => {
    const input = { type: 4, custom_id: 'why', label: 'Why', style: 1 }
    await use({ type: 9, data: { custom_id: 'form', title: 'Reason', components: [row(input)] } })
    await page.click('.modal .main')
    await page.starts('.input .problem', 'the input "Why" is required')
  })
})
