/** What the bots of this folder show: messages with buttons, menus and modals, as Discord has them. */
export const button = (label, style = 1) => ({ type: 2, style, label, custom_id: label.toLowerCase() })
export const row = (...components) => ({ type: 1, components })
export const question = { content: 'Sure?', components: [row(button('Yes', 4), button('No', 2))] }
export const done = { content: 'Done', components: [] }
export const PAGES = ['one', 'two', 'three']

/** Resolves with the first event that a check accepts, as bots without collectors do. */
export function waitFor(client, event, accepts) {
  return new Promise((resolve) => {
    const listener = (first, ...rest) => {
      if (!accepts(first, ...rest)) return
      client.off(event, listener)
      resolve(first)
    }
    client.on(event, listener)
  })
}

export const { BOT_TOKEN, BOT_REST } = process.env
