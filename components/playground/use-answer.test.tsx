import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { useState } from "react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Conversation, PlaygroundEvent } from "@/lib/agent/playground/schema";
import { Composer } from "./chat-pane";
import { useAnswer } from "./use-answer";

let push: (event: PlaygroundEvent) => void = () => {};
let close: () => void = () => {};
let refuses = false;
let isListening = false;
let hungUp = 0;
let stopped = 0;

const server = setupServer(
  http.post("*/api/playground/conversations/c1/messages", ({ request }) => {
    if (refuses) {
      return HttpResponse.json({ code: "rate_limited", detail: "Eight answers are being given." }, { status: 429 });
    }
    isListening = true;
    request.signal.addEventListener("abort", () => hungUp++);
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        push = (event) => controller.enqueue(encoder.encode(`event: x\ndata: ${JSON.stringify(event)}\n\n`));
        close = () => controller.close();
      },
    });
    return new HttpResponse(body, { headers: { "content-type": "text/event-stream" } });
  }),
  http.post("*/api/playground/conversations/c1/stop", () => {
    stopped++;
    if (isListening) push({ type: "end", fork: null, reason: "stopped", message: null });
    if (isListening) close();
    return HttpResponse.json({ stopped: true });
  }),
);

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
beforeEach(() => {
  refuses = false;
  isListening = false;
  hungUp = 0;
  stopped = 0;
});
afterEach(cleanup);
afterAll(() => server.close());

function Talk() {
  const [id, setId] = useState<string | null>(null);
  const answer = useAnswer({
    conversationId: id,
    turnCount: 0,
    begin: async () => ({ id: "c1" }) as Conversation,
    onBegun: setId,
  });
  const said = answer.live?.events.map((event) => (event.type === "text" ? event.text : event.type)).join("|");
  return (
    <>
      <p data-testid="said">{said ?? "nothing"}</p>
      <p data-testid="problem">{answer.problem?.detail ?? "none"}</p>
      <button type="button" onClick={() => setId("c2")}>
        Another
      </button>
      <Composer isAnswering={answer.live !== null} onSend={answer.send} onStop={answer.stop} />
    </>
  );
}

async function ask(text: string) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Talk />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message to the agent" });
  await user.type(field, `${text}{Enter}`);
  return { user, field };
}

const text = (words: string): PlaygroundEvent => ({ type: "text", fork: null, text: words });
const shown = (words: string) => waitFor(() => expect(screen.getByTestId("said").textContent).toBe(words));

it("shows an answer while it arrives and clears it at the end", async () => {
  const { field } = await ask("hello");
  await shown("");
  expect(field.value).toBe("");
  push(text("Good "));
  await shown("Good ");
  push(text("day"));
  await shown("Good day");
  push({ type: "end", fork: null, reason: "done", message: null });
  close();
  await shown("nothing");
  expect(screen.getByTestId("problem").textContent).toBe("none");
});

it("returns a refused message with the reason", async () => {
  refuses = true;
  const { field } = await ask("hello");
  await waitFor(() => expect(field.value).toBe("hello"));
  expect(screen.getByTestId("problem").textContent).toBe("Eight answers are being given.");
});

it("reports a stream that breaks off", async () => {
  await ask("hello");
  await shown("");
  push(text("Good "));
  await shown("Good ");
  close();
  await waitFor(() => expect(screen.getByTestId("problem").textContent).toContain("was lost"));
});

it("Esc in the field stops the answer on the server, which ends the stream", async () => {
  const { user } = await ask("hello");
  await shown("");
  push(text("Good "));
  await shown("Good ");
  await user.keyboard("{Escape}");
  await shown("nothing");
  expect([stopped, hungUp]).toEqual([1, 0]);
  expect(screen.getByTestId("problem").textContent).toBe("none");
});

it("sends an early stop once the server has accepted the message", async () => {
  const { user } = await ask("hello");
  await shown("");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(isListening).toBe(true));
  expect(stopped).toBe(0);
  push(text("Good "));
  await shown("nothing");
  expect([stopped, hungUp]).toEqual([1, 0]);
});

it("aborts the request when the reader opens another conversation", async () => {
  const { user } = await ask("hello");
  await shown("");
  push(text("Good "));
  await shown("Good ");
  await user.click(screen.getByRole("button", { name: "Another" }));
  await waitFor(() => expect(hungUp).toBe(1));
  expect(screen.getByTestId("said").textContent).toBe("nothing");
  expect(screen.getByTestId("problem").textContent).toBe("none");
});

it("stops an answer that started before this page was opened", async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Left />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  await waitFor(() => expect(stopped).toBe(1));
});

function Left() {
  const { stop } = useAnswer({
    conversationId: "c1",
    turnCount: 1,
    begin: () => Promise.reject(new Error("there is one already")),
    onBegun: () => {},
  });
  return (
    <button type="button" onClick={stop}>
      Stop
    </button>
  );
}
