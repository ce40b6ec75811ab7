import { LoggingLevelSchema, type ProgressToken, type ServerNotification } from "@modelcontextprotocol/sdk/types.js";
import { logger } from "@/lib/core/logger";
import type { McpSession } from "./mcp-sessions";
import type { MessageExtra } from "./request-context";

const BURST = 200;
const PER_SECOND = 20;
const MAX_LINE_CHARS = 4096;
const MAX_MESSAGE_CHARS = 200;
/** So that a client whose patience is renewed by progress does not give a silent run up. */
const SIGN_OF_LIFE_MS = 10_000;

type RunNotifier = {
  onEvent(event: { stream: string; text: string }): void;
  /** Says how much was left out, and that what was said is on its way. */
  finish(): Promise<void>;
  stop(): void;
};

/**
 * Tells a client what its run says: each line of stderr as a log message of level info, and progress that counts what the run
 * has said, without an end, since nobody knows it. 200 lines at once and 20 a second after that; the rest stays in the run.
 */
export function createRunNotifier(
  session: McpSession,
  extra: MessageExtra,
  { tool, progressToken }: { tool: string; progressToken: ProgressToken | undefined },
): RunNotifier {
  const startedAt = performance.now();
  let [progress, told, leftOut] = [0, 0, 0];
  let sending = Promise.resolve();
  const send = (notification: ServerNotification) => {
    const failed = (err: unknown) => logger.debug({ err }, "a client was not told of its run");
    sending = sending.then(() => extra.sendNotification(notification)).catch(failed);
  };
  const step = (message: string) => {
    progress += 1;
    if (progressToken === undefined) return;
    const params = { progressToken, progress, message: message.slice(0, MAX_MESSAGE_CHARS) };
    send({ method: "notifications/progress", params });
  };
  const log = (level: "info" | "notice", data: string) => {
    if (rank(level) < rank(session.level)) return;
    send({ method: "notifications/message", params: { level, logger: tool, data } });
  };
  const mayTell = () => told < BURST + ((performance.now() - startedAt) / 1000) * PER_SECOND;
  const timer = setInterval(() => {
    step(`running for ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }, SIGN_OF_LIFE_MS).unref();
  return {
    onEvent: ({ text }) => {
      for (const line of text.split("\n").filter((part) => part.trim() !== "")) {
        if (!mayTell()) {
          leftOut += 1;
          continue;
        }
        told += 1;
        log("info", line.slice(0, MAX_LINE_CHARS));
        step(line);
      }
    },
    finish: async () => {
      if (leftOut > 0) log("notice", `${leftOut} more lines were not sent; get_run has what the run kept.`);
      await sending;
    },
    stop: () => clearInterval(timer),
  };
}

function rank(level: McpSession["level"]): number {
  return LoggingLevelSchema.options.indexOf(level);
}
