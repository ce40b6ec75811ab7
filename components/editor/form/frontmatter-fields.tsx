import { Plus, X } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { type Permission, permissionOf, ToolWarnings } from "@/components/skills/permission-list";
import { cn } from "@/components/ui/cn";
import { Label } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { parseAllowedTools } from "@/lib/skill-format/dialects/tools";
import type { FormField } from "../frontmatter/form-fields";
import type { MapEntries } from "../frontmatter/read-form";

type ChipsFieldProps = { field: FormField; items: readonly string[]; onChange: (items: string[]) => void };

const tones: Record<Permission["tone"], string> = {
  neutral: "bg-muted",
  warning: "border-warning-line bg-warning-soft text-warning",
  danger: "border-danger-line bg-danger-soft text-danger",
};

/** A list as chips; Enter adds the typed item, Backspace in an empty input edits the last one. */
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
        {field.help ? `${field.help} ` : ""}Press Enter to add an item.
      </p>
      {isTools ? <ToolWarnings tools={items} /> : null}
    </div>
  );
}

type MapFieldProps = {
  field: FormField;
  entries: MapEntries;
  onChange: (entries: Record<string, string>) => void;
};

/** A mapping of names to texts. Other values are listed, and edited in the text view. */
export function MapField({ field, entries, onChange }: MapFieldProps) {
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const texts = entries.filter((entry): entry is { key: string; value: string } => entry.value !== null);
  const others = entries.filter((entry) => entry.value === null);
  const change = (key: string, text: string | null) =>
    onChange(
      Object.fromEntries(
        texts.flatMap((entry) => (entry.key !== key ? [[entry.key, entry.value]] : text === null ? [] : [[key, text]])),
      ),
    );
  const canAdd = name.trim() !== "" && !entries.some((entry) => entry.key === name.trim());
  const add = () => {
    if (!canAdd) return;
    onChange({ ...Object.fromEntries(texts.map((entry) => [entry.key, entry.value])), [name.trim()]: value.trim() });
    setName("");
    setValue("");
  };

  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-13">{field.label}</legend>
      {texts.map((entry) => (
        <div key={entry.key} className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)_2rem] items-center gap-1">
          <RevealedText text={entry.key} className="truncate font-mono text-xs" />
          <Input
            aria-label={`Metadata ${entry.key}`}
            value={entry.value}
            onChange={(event) => change(entry.key, event.target.value)}
            autoComplete="off"
          />
          <IconButton label={`Remove ${entry.key}`} onClick={() => change(entry.key, null)}>
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)_2rem] items-center gap-1">
        <Input
          aria-label="New entry name"
          placeholder="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <Input
          aria-label="New entry value"
          placeholder="Value"
          value={value}
          onChange={(event) => setValue(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add();
          }}
          autoComplete="off"
        />
        <IconButton label="Add entry" disabled={!canAdd} onClick={add}>
          <Plus aria-hidden />
        </IconButton>
      </div>
      {others.length > 0 ? (
        <p className="text-muted-foreground text-xs">
          Edit in the text view (not plain text): {others.map((entry) => entry.key).join(", ")}
        </p>
      ) : null}
    </fieldset>
  );
}
