import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'

describeConsole('the page of the export', (desk) => {
  test('everything is exported into one archive, with its progress', async () => {
    const page = await desk.open('export')
    await page.evaluate(`{
      // Otherwise the browser asks where to save it.
      globalThis.showSaveFilePicker = undefined
      const look = () => {
        const bar = document.querySelector('progress')
        globalThis.sawProgress ||= bar !== null
        globalThis.sawMotion ||= bar?.checkVisibility() ?? false
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    }`)
    const [download] = await Promise.all([page.waitForEvent('download'), desk.press('Export everything')])
    await desk.says('The export is complete.')
    expect(await page.evaluate('[globalThis.sawProgress, globalThis.sawMotion]')).toEqual([true, false])
    expect(download.suggestedFilename()).toMatch(/^export-\d{4}-\d\d-\d\d\.tar$/)
    const archive = readFileSync(await download.path())
    expect(archive.includes('manifest.json')).toBe(true)
    expect(archive.includes(desk.tenant.administrator.username)).toBe(true)
  })
})
