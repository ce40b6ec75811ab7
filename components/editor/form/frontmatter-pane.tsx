import type { ComponentProps } from "react";
import { FrontmatterForm, useFormReading } from "./frontmatter-form";

type FrontmatterPaneProps = Omit<ComponentProps<typeof FrontmatterForm>, "shown"> & { isShown: boolean };

/** The form of SKILL.md. Reads the text also while it is hidden. Heavy: load it with next/dynamic. */
export function FrontmatterPane({ isShown, ...form }: FrontmatterPaneProps) {
  const shown = useFormReading(form.text);
  if (!isShown) return null;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <FrontmatterForm {...form} shown={shown} />
    </div>
  );
}
