import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'

describeConsole('people who were deleted', (desk) => {
  test('are listed, and are brought back where they were', async () => {
    const boss = desk.world.as(desk.tenant.administrator)
    const ada = await desk.world.givenUser(desk.tenant)
    ;(await boss.delete(`/users/${ada.id}`)).expect(200)
    const page = await desk.open('people')
    await page.getByRole('link', { name: 'Former members' }).click()
    await page.getByRole('link', { name: 'Bring back' }).click()
    await desk.label('User name').fill('ada-again')
    await desk.label('Password').fill('a long pass phrase')
    await desk.press('Bring back')
    await page.getByRole('heading', { name: 'ada-again' }).waitFor()
    expect((await boss.get(`/users/${ada.id}`)).expect(200)).toMatchObject({ username: 'ada-again', roles: ['user'] })
  })
})
