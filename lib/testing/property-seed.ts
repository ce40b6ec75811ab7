import fc from "fast-check";

// The same examples on every machine, so that a failure is never news about chance. Another number explores others:
// FAST_CHECK_SEED=7 npx vitest run lib/skill-format
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_121) });
