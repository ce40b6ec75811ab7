"use client";

import { ArrowUp, Square } from "lucide-react";
import { useState } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { Textarea } from "@/components/ui/textarea";

/** The same bound as the server's. */
const MAX_TEXT = 32_000;

type ComposerProps = {
  isAnswering: boolean;
  disabled?: boolean;
  /** False: it was not taken, and stays. */
  onSend: (text: string) => Promise<boolean>;
  onStop: () => void;
};

/** Enter sends and Shift+Enter begins a line; Esc stops the answer from anywhere on the page. */
export function Composer({ isAnswering, disabled = false, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState("");
  useShortcut("escape", "Stop the answer", onStop, { group: "Playground", enabled: isAnswering });
  const send = async () => {
    const said = text.trim();
    if (said === "" || isAnswering || disabled) return;
    setText("");
    // What was not taken comes back, unless something else has been written meanwhile.
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
