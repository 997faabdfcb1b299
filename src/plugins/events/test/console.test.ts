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

  test('are found behind many earlier events, and are not listed when they are back', async () => {
    const tenant = await desk.world.givenTenant()
    const boss = desk.world.as(tenant.administrator)
    const [ada, eve] = [await desk.world.givenUser(tenant), await desk.world.givenUser(tenant)]
    const remove = async ({ id }: { id: number }) => (await boss.delete(`/users/${id}`)).expect(200)
    await remove(eve)
    const [{ id: last }] = (await boss.get('/events?types=user.deleted')).expect(200)
    await desk.world.look.rows(
      `with more as (
         insert into events (tenant_id, id, type, subject_type, subject_id, actor_kind, data, occurred_at)
         select $1, $2 + n, case n % 2 when 1 then 'user.deleted' else 'user.restored' end, 'user', 0, 'system', '{}', now()
         from generate_series(1, 1000) n returning id)
       update event_counters set last_number = (select max(id) from more) where tenant_id = $1`,
      [tenant.id, last],
    )
    await remove(ada)
    const account = { username: 'eve-again', password: 'a long pass phrase' }
    ;(await boss.post(`/users/${eve.id}/restore`, account)).expect(201)
    const page = await desk.open('former-members', tenant.administrator)
    const links = page.getByRole('link', { name: 'Bring back' })
    await links.first().waitFor()
    const found = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(found).toEqual([`/console/people/${ada.id}`])
  })
})
