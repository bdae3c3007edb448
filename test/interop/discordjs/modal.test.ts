/** A bot with discord.js that reads every input of a modal. */
import {
  CheckboxBuilder,
  CheckboxGroupBuilder,
  Client,
  FileUploadBuilder,
  LabelBuilder,
  ModalBuilder,
  RadioGroupBuilder,
  type ModalSubmitInteraction,
} from 'discord.js'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import type { ModalValues } from 'commandry/interactions'
import { testbed } from 'commandry/testbed'

const commands = [{ name: 'form', description: 'Opens a modal' }]
const options = ['Red', 'Blue', 'Green'].map((label) => ({ label, value: label.toLowerCase() }))
const label = (text: string) => new LabelBuilder().setLabel(text)
const modal = new ModalBuilder()
  .setCustomId('form')
  .setTitle('Form')
  .addLabelComponents(
    label('Paint').setRadioGroupComponent(
      new RadioGroupBuilder().setCustomId('paint').setRequired(false).addOptions(options),
    ),
    label('Extras').setCheckboxGroupComponent(
      new CheckboxGroupBuilder().setCustomId('extras').setRequired(false).setMinValues(0).addOptions(options),
    ),
    label('Agree').setCheckboxComponent(new CheckboxBuilder().setCustomId('agree')),
    label('Plan').setFileUploadComponent(
      new FileUploadBuilder().setCustomId('plan').setRequired(false).setMaxValues(2),
    ),
  )

function read({ fields }: ModalSubmitInteraction): object {
  const files = fields.getUploadedFiles('plan')
  return {
    paint: fields.getRadioGroup('paint'),
    extras: fields.getCheckboxGroup('extras'),
    agree: fields.getCheckbox('agree'),
    plan: files === null ? null : files.map(({ name, size, contentType }) => [name, size, contentType]),
  }
}

it('reads what a person chose, checked and uploaded in a modal', async () => {
  await using bed = await testbed({ commands, ws: { WebSocketServer } })
  const client = new Client({ intents: [], rest: { api: bed.rest } })
  onTestFinished(() => client.destroy())
  client.on('interactionCreate', async (use) => {
    if (use.isModalSubmit()) await use.reply(JSON.stringify(read(use)))
    else if (use.isChatInputCommand()) await use.showModal(modal)
  })
  await client.login(bed.token)
  const submit = async (values: ModalValues) =>
    JSON.parse((await (await bed.as('member').use('/form')).submit(values)).content)
  expect(await submit({})).toEqual({ paint: null, extras: [], agree: false, plan: null })
  const plan = [{ filename: 'a.png', size: 3, content_type: 'image/png' }, { filename: 'b' }]
  expect(await submit({ paint: 'Blue', extras: ['Red', 'green'], agree: true, plan })).toEqual({
    paint: 'blue',
    extras: ['red', 'green'],
    agree: true,
    plan: [
      ['a.png', 3, 'image/png'],
      ['b', 10, 'application/octet-stream'],
    ],
  })
})
