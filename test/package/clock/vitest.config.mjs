export default {
  test: {
    include: ['*.vitest.mjs'],
    setupFiles: ['commandry/clock'],
    pool: process.env.POOL,
    isolate: process.env.ISOLATE !== 'false',
    testTimeout: 10_000,
  },
}
