import { useMemo, useState } from "react";
import { type FormReading, type FormValues, readForm } from "../frontmatter/read-form";

/** What the form shows of a text: the values that could be read last, and whether they are those of the text now. */
export type ShownForm = { reading: FormReading; values: FormValues | null };

/** Reads along also while only the text is shown, so that the form has its last values when it is opened. */
export function useFormReading(text: string | null): ShownForm {
  const reading = useMemo(() => readForm(text ?? ""), [text]);
  const [good, setGood] = useState<FormValues | null>(null);
  const values = text !== null && reading.ok ? reading.values : null;
  if (values !== null && values !== good) setGood(values);
  return { reading, values: values ?? good };
}
