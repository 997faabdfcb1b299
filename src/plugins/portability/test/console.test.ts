import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endPatience } from '#test/console.ts'
import { describeConsole } from '#test/console-story.ts'
import { until } from '#test/patience.ts'

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

  test('an archive takes as long as it takes', async () => {
    const page = await desk.open('export')
    await page.evaluate('globalThis.showSaveFilePicker = undefined')
    await endPatience(page, '/tenant/export', 'headers')
    const [download] = await Promise.all([page.waitForEvent('download'), desk.press('Export everything')])
    await desk.says('The export is complete.')
    expect(readFileSync(await download.path()).includes('manifest.json.sha256')).toBe(true)
  })

  test('who chooses no place for it gets none, and nothing says that it was exported', async () => {
    const page = await desk.open('export')
    const downloads: unknown[] = []
    page.on('download', (download) => downloads.push(download))
    await page.evaluate(`{
      globalThis.showSaveFilePicker = async () => {
        globalThis.wasAsked = true
        throw new DOMException('', 'AbortError')
      }
    }`)
    await desk.press('Export everything')
    await until(() =>
      page.evaluate('globalThis.wasAsked === true && !document.querySelector("progress, [aria-disabled=true]")'),
    )
    expect(await page.getByText('The export is complete.').count()).toBe(0)
    expect(downloads).toEqual([])
  })
})
