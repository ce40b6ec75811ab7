import { Plus, X } from "lucide-react";
import { useState } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import type { FormField } from "../frontmatter/form-fields";
import type { MapEntries } from "../frontmatter/read-form";

type MapFieldProps = {
  field: FormField;
  entries: MapEntries;
  onChange: (entries: Record<string, string>) => void;
};

/** Names and texts. What is no text is named, and changed in the text of the file. */
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
          aria-label="Name of a new entry"
          placeholder="name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <Input
          aria-label="Value of a new entry"
          placeholder="value"
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
          Not texts, and changed in the text of the file: {others.map((entry) => entry.key).join(", ")}.
        </p>
      ) : null}
    </fieldset>
  );
}
