import fc from "fast-check";

// A fixed seed, so that failures are reproducible. For other examples: FAST_CHECK_SEED=7 npx vitest run
// lib/skill-format
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_121) });
