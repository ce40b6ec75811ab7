import { AsyncLocalStorage } from "node:async_hooks";
import { logger } from "@/lib/core/logger";

export type CollectedError = { code: string; message: string; systemCode: string | null };

const collecting = new AsyncLocalStorage<CollectedError[]>();

/**
 * next-auth tells what went wrong to its logger alone, and has one for the whole process. Whatever is told while `work` runs
 * belongs to that request.
 */
export async function collectErrors<T>(work: () => Promise<T>): Promise<{ result: T; errors: CollectedError[] }> {
  const errors: CollectedError[] = [];
  return { result: await collecting.run(errors, work), errors };
}

/** The logger of next-auth. What it passes on besides the message may hold a token, and is left out. */
export const nextAuthLogger = {
  error(code: string, detail: unknown) {
    const error = told(detail);
    collecting.getStore()?.push({ code, ...error });
    logger.debug({ code, detail: error.message }, "next-auth");
  },
  warn: (code: string) => logger.debug({ code }, "next-auth"),
  debug: () => undefined,
};

function told(detail: unknown): { message: string; systemCode: string | null } {
  const error = isRecord(detail) && isRecord(detail.error) ? detail.error : detail;
  if (!isRecord(error)) return { message: String(error), systemCode: null };
  return {
    message: typeof error.message === "string" ? error.message : "",
    systemCode: typeof error.code === "string" ? error.code : null,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
