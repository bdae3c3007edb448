export default { test: { globals: true, include: ['spec.mjs'], setupFiles: ['commandry/vitest'] } }
