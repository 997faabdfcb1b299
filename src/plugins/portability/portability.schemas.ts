import { z } from '#atrium'

export const Archive = z.string().meta({
  format: 'binary',
  description:
    'A tar archive: `files/<name>`, `tables/<table>.ndjson`, `shared/<table>.ndjson`, `manifest.json` with the SHA-256 of each, and last `manifest.json.sha256`',
})
