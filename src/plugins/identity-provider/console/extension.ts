import type { Extension } from '#console/extension.ts'

export default {
  parts: [
    { slot: 'settings', place: 20, load: () => import('./provider.ts') },
    { slot: 'sign-in', place: 10, load: () => import('./sign-in.ts') },
  ],
  async start() {
    if (!/[#&](code|error)=/.test(location.hash)) return
    const { returnFromProvider } = await import('./sign-in.ts')
    await returnFromProvider()
  },
} satisfies Extension
