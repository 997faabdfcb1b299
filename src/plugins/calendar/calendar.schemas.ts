import { z } from '#atrium'

export const CalendarAddress = z
  .object({ url: z.string().describe('Shown once; subscribe to it in a calendar program') })
  .meta({
    id: 'CalendarAddress',
    examples: [{ url: 'https://atrium.example.org/api/v1/calendar/7.Jx0v6kA2mQ8sT1wZ4bC7eF0hK3nR5uY9dG2jM6pV8xE.ics' }],
  })

/** The path has it before `.ics`. What cannot be a key is unknown, and not invalid: both are a 404. */
export const CalendarParams = z.object({
  key: z.string().meta({ examples: ['7.Jx0v6kA2mQ8sT1wZ4bC7eF0hK3nR5uY9dG2jM6pV8xE'] }),
})

export const CalendarText = z.any().meta({
  type: 'string',
  example:
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Atrium//Tasks//EN\r\nBEGIN:VEVENT\r\nUID:task-7-117@atrium\r\n' +
    'DTSTAMP:20261122T100000Z\r\nDTSTART;VALUE=DATE:20261201\r\nSUMMARY:Prepare the launch\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
})
