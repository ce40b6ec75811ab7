import pino from "pino";

/** Writes JSON lines to stdout. Never log secrets, request bodies or output of skills. */
export const logger = pino({
  level: process.env.SKILLGATE_LOG_LEVEL ?? "info",
  base: null,
  redact: ["*.token", "*.password", "*.secret", "*.authorization", "*.secrets", "*.value"],
});
