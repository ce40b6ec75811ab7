import { X } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { type Permission, permissionOf } from "@/components/skills/permission-list";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { parseAllowedTools } from "@/lib/skill-format/dialects/allowed-tools";
import type { FormField } from "../frontmatter/form-fields";

type ChipsFieldProps = { field: FormField; items: readonly string[]; onChange: (items: string[]) => void };

const tones: Record<Permission["tone"], string> = {
  neutral: "bg-muted",
  warning: "border-warning-line bg-warning-soft text-warning",
  danger: "border-danger-line bg-danger-soft text-danger",
};

/** A list as chips; Enter adds what is typed, Backspace in an empty field takes the last one back. */
export function ChipsField({ field, items, onChange }: ChipsFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const isTools = field.kind === "tools";

  const add = () => {
    const parts = isTools ? (parseAllowedTools(typed) ?? []) : typed.split(",").map((part) => part.trim());
    setTyped("");
    const added = parts.filter((part) => part !== "");
    if (added.length > 0) onChange([...new Set([...items, ...added])]);
  };
  const remove = (item: string) => {
    onChange(items.filter((other) => other !== item));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" || (event.key === "," && !isTools)) {
      event.preventDefault();
      add();
    } else if (event.key === "Backspace" && typed === "" && items.length > 0) {
      const last = items.at(-1) ?? "";
      onChange(items.slice(0, -1));
      setTyped(last);
      event.preventDefault();
    }
  };

  return (
    <div className="flex flex-col gap-1.5">
      <Label htmlFor={id}>{field.label}</Label>
      {items.length > 0 ? (
        <ul className="flex flex-wrap gap-1">
          {items.map((item) => (
            <li
              key={item}
              title={isTools ? permissionOf(item).text : undefined}
              className={cn(
                "inline-flex max-w-full items-center rounded-md border pl-2 text-13",
                isTools ? cn("font-mono text-xs", tones[permissionOf(item).tone]) : tones.neutral,
              )}
            >
              <RevealedText text={item} className="min-w-0 [overflow-wrap:anywhere]" />
              <button
                type="button"
                onClick={() => remove(item)}
                aria-label={`Remove ${item}`}
                className="inline-flex size-6 shrink-0 items-center justify-center rounded-md hover:text-foreground"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <Input
        id={id}
        ref={input}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={add}
        aria-describedby={`${id}-help`}
        autoComplete="off"
        spellCheck={false}
        className={isTools ? "font-mono" : ""}
      />
      <p id={`${id}-help`} className="text-muted-foreground text-xs leading-4">
        {field.help ? `${field.help} ` : ""}Enter adds one.
      </p>
      {isTools ? <LoudTools items={items} /> : null}
    </div>
  );
}

function LoudTools({ items }: { items: readonly string[] }) {
  const loud = items.map(permissionOf).filter(({ tone }) => tone !== "neutral");
  const sentences = [...new Set(loud.map(({ text }) => text))];
  if (sentences.length === 0) return null;
  return (
    <ul className="text-13 text-warning">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}, without asking.</li>
      ))}
    </ul>
  );
}
