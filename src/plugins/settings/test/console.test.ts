import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'

describeConsole('the settings of a tenant', (desk) => {
  test('are changed, and a stale form of them says what is new', async () => {
    const boss = desk.world.as(desk.tenant.administrator)
    const page = await desk.open('settings')
    ;(await boss.put('/tenant/settings', { sessionDays: 3 })).expect(200)
    await desk.label('Shortest password that people may choose').fill('12')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByRole('alert').getByText('Days until an unused session ends').waitFor()
    await page.getByRole('button', { name: 'Save' }).last().click()
    await desk.says('Saved')
    expect((await boss.get('/tenant/settings')).expect(200)).toMatchObject({ sessionDays: 3, passwordMinLength: 12 })
  })

  test('keep a time zone that the browser knows under another name', async () => {
    const boss = desk.world.as(desk.tenant.administrator)
    ;(await boss.put('/tenant/settings', { timeZone: 'Asia/Kolkata' })).expect(200)
    const page = await desk.open('settings')
    await desk.label('Days until an unused session ends').fill('4')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await desk.says('Saved')
    expect((await boss.get('/tenant/settings')).expect(200)).toMatchObject({ sessionDays: 4, timeZone: 'Asia/Kolkata' })
  })
})
