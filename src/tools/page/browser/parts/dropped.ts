/** Files that are dropped on the page. */

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/** Attributes of an element that takes a dropped text file. */
export function droppingText(take: (text: string, name: string) => unknown): object {
  return {
    ondragover: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
    async ondrop(event: DragEvent) {
      const [file] = event.dataTransfer?.files ?? []
      if (file === undefined) return
      event.preventDefault()
      await take(await file.text(), file.name)
    },
  }
}

/** Keeps the page open when a file is dropped where nothing takes it: the browser would open the file in its place. */
export function refuseOtherFiles(): void {
  for (const type of ['dragover', 'drop'] as const)
    addEventListener(type, (event) => hasFiles(event) && event.preventDefault())
}
