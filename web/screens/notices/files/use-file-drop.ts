import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Calls `onDrop` with a file that the user drops anywhere on the page, the first of several. It listens to the
 * whole page, because next to a small field the browser would open the file and leave the page. Ignores files
 * while a dialog is open, and images that the text editor has taken.
 * @param onDrop `isFolder` is true if the user dropped a folder, which cannot be read
 * @returns whether the user drags a file over the page now
 */
export function useFileDrop(onDrop: (file: File, isFolder: boolean) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(({ files, items }: DataTransfer) => {
    const [file] = files
    // Some browsers report a folder as a file of 0 bytes, which reading would not reveal.
    const item = Array.from(items).find(({ kind }) => kind === 'file')
    const isFolder = item?.webkitGetAsEntry()?.isDirectory ?? false
    if (file !== undefined && !isDialogOpen()) onDrop(file, isFolder)
  })

  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return
      event.preventDefault()
      const isTaken = !isDialogOpen()
      event.dataTransfer.dropEffect = isTaken ? 'copy' : 'none'
      setOver(isTaken)
    }
    const leave = (event: DragEvent) => {
      // Out of the window, not from one part of the page to the next.
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return
      // The editor has already taken an image for the text.
      const isTaken = event.defaultPrevented
      event.preventDefault()
      setOver(false)
      if (!isTaken) take(event.dataTransfer)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])

  return isOver
}

/** Returns whether the page shows a dialog or an alert. */
function isDialogOpen(): boolean {
  return document.querySelector('dialog[open], [role=dialog], [role=alertdialog]') !== null
}
