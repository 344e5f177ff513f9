import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Takes a file that is dropped anywhere on the page: beside a small field the browser would open it and leave the page.
 * While a dialog is open nothing is taken.
 * @returns whether a file is being held over the page
 */
export function useFileDrop(onDrop: (file: File, isFolder: boolean) => void): boolean {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(({ files, items }: DataTransfer) => {
    const [file] = files
    // Where a folder is said to be a file of 0 bytes, reading it would not find out.
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
      // A picture for the text, which has taken it.
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

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open], [role=dialog], [role=alertdialog]') !== null
}
