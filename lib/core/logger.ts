import pino from "pino";

/** JSON lines on stdout. Never pass secrets, request bodies or what skills print. */
export const logger = pino({
  level: process.env.SKILLGATE_LOG_LEVEL ?? "info",
  base: null,
  redact: ["*.token", "*.password", "*.secret", "*.authorization", "*.secrets", "*.value"],
});
