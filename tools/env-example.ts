import { writeFileSync } from 'node:fs'
import { envExample } from '../src/config/example.ts'

/** `npm run env:example`: writes `.env.example` from the variables that the service reads. */
writeFileSync(new URL('../.env.example', import.meta.url), envExample())
