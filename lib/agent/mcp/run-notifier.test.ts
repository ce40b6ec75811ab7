import type { LoggingLevel, ServerNotification } from "@modelcontextprotocol/sdk/types.js";
import { expect, test, vi } from "vitest";
import { createRunNotifier } from "./run-notifier";

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join("\n");

function teller(level: LoggingLevel | null, progressToken: string | null) {
  const sent: ServerNotification[] = [];
  const notify = async (one: ServerNotification) => void sent.push(one);
  const given = createRunNotifier({ tool: "echo", level, progressToken, notify });
  const of = (method: string) => sent.filter((one) => one.method === method);
  return { ...given, logs: () => of("notifications/message"), steps: () => of("notifications/progress") };
}

test("long output is sent in part, with the number of lines left out", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  try {
    const { onEvent, finish, stop, logs, steps } = teller("debug", "t1");
    onEvent({ stream: "stderr", text: lines(500) });
    await finish();
    expect(logs()).toHaveLength(201);
    expect(steps()).toHaveLength(200);
    expect(logs().at(-1)?.params).toMatchObject({ level: "notice", data: expect.stringMatching(/^300 more lines/) });
    stop();
  } finally {
    vi.useRealTimers();
  }
});

test("a silent run gives a sign of life each ten seconds, until it is over", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  try {
    const { finish, stop, steps } = teller("info", "t1");
    vi.advanceTimersByTime(25_000);
    await finish();
    expect(steps().map((one) => one.params)).toMatchObject([
      { progressToken: "t1", progress: 1, message: "running for 10 s" },
      { progressToken: "t1", progress: 2, message: "running for 20 s" },
    ]);
    stop();
    vi.advanceTimersByTime(60_000);
    await finish();
    expect(steps()).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test.each(["error", null] as const)(
  "a client without a progress token and with log level %s gets no notification",
  async (level) => {
    const { onEvent, finish, stop, logs, steps } = teller(level, null);
    onEvent({ stream: "stderr", text: lines(3) });
    await finish();
    stop();
    expect([...logs(), ...steps()]).toEqual([]);
  },
);
