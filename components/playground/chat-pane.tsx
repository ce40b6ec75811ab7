import { type UseQueryResult, useInfiniteQuery } from "@tanstack/react-query";
import { ArrowUp, Square } from "lucide-react";
import Link from "next/link";
import { useRef, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { useFollowEnd } from "@/components/runs/log/use-follow-end";
import { useShortcut } from "@/components/shell/use-shortcut";
import { QueryState } from "@/components/state/query-state";
import { TraceRating } from "@/components/traces/trace-rating";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Digest } from "@/components/ui/digest";
import { formatLimit } from "@/components/ui/format-time";
import { Kbd } from "@/components/ui/kbd";
import { Textarea } from "@/components/ui/textarea";
import type { Conversation, ConversationDetail, Turn } from "@/lib/agent/playground/schema";
import { tracePagesQuery } from "@/lib/client/traces";
import type { ModelChoices } from "@/lib/settings/models/schema";
import type { Choice } from "./choice";
import { ChoiceForm } from "./choice-form";
import { TurnView } from "./turn-view";
import type { useAnswer } from "./use-answer";

/** The server's limit, in characters. */
const MAX_TEXT = 32_000;

type ComposerProps = {
  isAnswering: boolean;
  disabled?: boolean;
  /** Resolves to false when the message was not accepted; it then stays in the field. */
  onSend: (text: string) => Promise<boolean>;
  onStop: () => void;
};

type ChatPaneProps = {
  conversationId: string | null;
  query: UseQueryResult<ConversationDetail, Error>;
  endpoints: ModelChoices["items"];
  choice: Choice;
  onChoice: (choice: Choice) => void;
  answer: ReturnType<typeof useAnswer>;
};

export function ChatPane({ conversationId, query, endpoints, choice, onChoice, answer }: ChatPaneProps) {
  const { live, problem, send, stop } = answer;
  const scroller = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const turnCount = query.data?.turns.length ?? 0;
  // Started in another window, or before this page was opened.
  const isRunningElsewhere = query.data?.turns.at(-1)?.state === "running";
  const last = live?.events.at(-1);
  const { handlers, setFollowing } = useFollowEnd(scroller, {
    // Grows with every event and with the text of the last one.
    length: turnCount + (live ? 1 + live.events.length * 100_000 + (last?.type === "text" ? last.text.length : 0) : 0),
    toEnd: () => end.current?.scrollIntoView({ block: "nearest" }),
    atFirst: true,
  });
  // When the page itself scrolls, only a touch shows that the reader scrolls away.
  const onTouchMove = () => {
    handlers.onTouchMove();
    const box = scroller.current;
    if (box && box.scrollHeight <= box.clientHeight) setFollowing(false);
  };
  const say = (text: string) => {
    setFollowing(true);
    return send(text);
  };
  return (
    <>
      <div
        ref={scroller}
        className="relative flex min-h-0 flex-1 flex-col gap-6 px-4 py-4 lg:overflow-y-auto"
        {...handlers}
        onTouchMove={onTouchMove}
      >
        {conversationId === null ? (
          <div className="mx-auto w-full max-w-3xl">
            {live ? null : <ChoiceForm endpoints={endpoints} choice={choice} onChange={onChoice} />}
          </div>
        ) : (
          <QueryState query={query} errorTitle="The conversation could not be loaded.">
            {(conversation) => (
              <div className="mx-auto flex w-full max-w-3xl flex-col gap-6">
                <ConversationFacts conversation={conversation} />
                {conversation.turns.slice(0, live?.after).map((turn) => (
                  <TurnView
                    key={turn.id}
                    turn={turn}
                    limits={conversation.limits}
                    rating={<AnswerRating sessionId={conversation.sessionId} turn={turn} />}
                  />
                ))}
              </div>
            )}
          </QueryState>
        )}
        {live ? (
          <div className="mx-auto w-full max-w-3xl">
            <TurnView turn={{ ...live, state: "running" }} limits={query.data?.limits ?? choice.limits} />
          </div>
        ) : null}
        <div ref={end} className="scroll-mb-40 lg:scroll-mb-0" />
      </div>
      <div className="sticky bottom-(--bottombar-height) border-t bg-background px-4 py-3">
        <div className="mx-auto flex max-w-3xl flex-col gap-2">
          <FormError error={problem} />
          <Composer isAnswering={live !== null || isRunningElsewhere} onSend={say} onStop={stop} />
        </div>
      </div>
    </>
  );
}

type AnswerRatingProps = { sessionId: string; turn: Pick<Turn, "at" | "finishedAt"> };

/** Thumbs for each playbook used in the answer. */
function AnswerRating({ sessionId, turn: { at, finishedAt } }: AnswerRatingProps) {
  const filters = {
    session: sessionId,
    kind: "instructional",
    outcome: "ok",
    from: at,
    ...(finishedAt ? { to: finishedAt } : {}),
  };
  const { data } = useInfiniteQuery({
    ...tracePagesQuery(filters),
    enabled: finishedAt !== null,
    refetchInterval: false,
  });
  const traces = data?.pages.flatMap(({ items }) => items) ?? [];
  if (traces.length === 0) return null;
  return (
    <ul aria-label="Rate the answer" className="ml-auto flex flex-wrap justify-end gap-x-3">
      {traces.map((trace) => (
        <li key={trace.id} className="inline-flex items-center gap-1">
          {trace.skill?.name ?? "A skill you do not see"}
          <TraceRating trace={trace} />
        </li>
      ))}
    </ul>
  );
}

function ConversationFacts({ conversation }: { conversation: Conversation }) {
  const { endpoint, model, persona, skills, limits } = conversation;
  return (
    <div className="flex flex-col gap-1 border-b pb-3 text-13 text-muted-foreground">
      <p>
        <code className="break-all font-mono text-xs">{model}</code> of {endpoint.name}
        {persona.name === null ? null : (
          <>
            , acting as{" "}
            <Link href={`/agents/view?persona=${persona.id}`} className="text-primary underline underline-offset-2">
              {persona.name}
            </Link>
          </>
        )}
        . At most {limits.steps} {limits.steps === 1 ? "step" : "steps"}, {limits.tokens.toLocaleString("en-GB")} tokens
        and {formatLimit(limits.seconds)} per answer.
      </p>
      {skills.length === 0 ? (
        <p>All skills that this persona may use.</p>
      ) : (
        <ul aria-label="Chosen skills" className="flex flex-wrap gap-x-3 gap-y-1">
          {skills.map(({ skillId, versionDigest, name, isPending }) => (
            <li key={skillId} className="inline-flex items-center gap-1.5">
              <Link href={`/skills/${encodeURIComponent(skillId)}`} className="text-foreground hover:underline">
                {name ?? "A deleted skill"}
              </Link>
              {versionDigest === null ? null : <Digest value={versionDigest} label="digest of the chosen version" />}
              {isPending ? <Badge tone="warning">Not active: playbook only</Badge> : null}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Enter sends, Shift+Enter starts a new line; Esc stops the answer from anywhere on the page. */
export function Composer({ isAnswering, disabled = false, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState("");
  useShortcut("escape", "Stop the answer", onStop, { group: "Playground", enabled: isAnswering });
  const send = async () => {
    const said = text.trim();
    if (said === "" || isAnswering || disabled) return;
    setText("");
    // A message that was not accepted returns to the field, unless the person has typed another one.
    if (!(await onSend(said))) setText((now) => (now === "" ? said : now));
  };
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Textarea
        aria-label="Message to the agent"
        placeholder="Ask for something that a skill should do"
        rows={2}
        maxLength={MAX_TEXT}
        disabled={disabled}
        value={text}
        className="field-sizing-content max-h-60 resize-none"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            void send();
          } else if (event.key === "Escape" && isAnswering) {
            event.preventDefault();
            onStop();
          }
        }}
      />
      {isAnswering ? (
        <Button size="lg" onClick={onStop}>
          <Square aria-hidden className="fill-current" />
          Stop
          <Kbd keys="escape" className="max-md:hidden" />
        </Button>
      ) : (
        <Button size="lg" type="submit" variant="primary" disabled={disabled || text.trim() === ""}>
          <ArrowUp aria-hidden />
          Send
        </Button>
      )}
    </form>
  );
}
