import {
  type LoggingLevel,
  LoggingLevelSchema,
  type ProgressToken,
  type ServerNotification,
} from "@modelcontextprotocol/sdk/types.js";
import { logger } from "@/lib/core/logger";

const BURST = 200;
const PER_SECOND = 20;
const MAX_LINE_CHARS = 4096;
const MAX_MESSAGE_CHARS = 200;
/** Clients reset their timeout on progress, so a silent run reports progress regularly. */
const PROGRESS_INTERVAL_MS = 10_000;

type Options = {
  tool: string;
  /** The lowest level of log messages that the client wants; null for none. */
  level: LoggingLevel | null;
  /** Null for a client that wants no progress. */
  progressToken: ProgressToken | null;
  notify(notification: ServerNotification): Promise<void>;
};

export type RunNotifier = {
  onEvent(event: { stream: string; text: string }): void;
  /** Reports how many lines were left out, and waits until all notifications are sent. */
  finish(): Promise<void>;
  stop(): void;
};

/**
 * Sends a run's output to the client: each line of stderr as a log message of level info and as progress without a total. At most
 * 200 lines at once and 20 per second after that; get_run returns all lines.
 */
export function createRunNotifier({ tool, level: lowest, progressToken, notify }: Options): RunNotifier {
  const startedAt = performance.now();
  let [progress, sent, leftOut] = [0, 0, 0];
  let sending = Promise.resolve();
  const send = (notification: ServerNotification) => {
    const failed = (err: unknown) => logger.debug({ err }, "a client was not notified of its run");
    sending = sending.then(() => notify(notification)).catch(failed);
  };
  const step = (message: string) => {
    progress += 1;
    if (progressToken === null) return;
    const params = { progressToken, progress, message: message.slice(0, MAX_MESSAGE_CHARS) };
    send({ method: "notifications/progress", params });
  };
  const log = (level: "info" | "notice", data: string) => {
    if (lowest === null || rank(level) < rank(lowest)) return;
    send({ method: "notifications/message", params: { level, logger: tool, data } });
  };
  const maySend = () => sent < BURST + ((performance.now() - startedAt) / 1000) * PER_SECOND;
  const timer = setInterval(() => {
    step(`running for ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }, PROGRESS_INTERVAL_MS).unref();
  return {
    onEvent: ({ text }) => {
      for (const line of text.split("\n").filter((part) => part.trim() !== "")) {
        if (!maySend()) {
          leftOut += 1;
          continue;
        }
        sent += 1;
        log("info", line.slice(0, MAX_LINE_CHARS));
        step(line);
      }
    },
    finish: async () => {
      if (leftOut > 0) log("notice", `${leftOut} more lines were not sent. get_run returns the stored log.`);
      await sending;
    },
    stop: () => clearInterval(timer),
  };
}

function rank(level: LoggingLevel): number {
  return LoggingLevelSchema.options.indexOf(level);
}
