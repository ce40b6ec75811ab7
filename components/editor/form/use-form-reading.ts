import { useMemo, useState } from "react";
import { type FormReading, type FormValues, readForm } from "../frontmatter/read-form";

/** The last valid form values, and the result of reading the current text. */
export type ShownForm = { reading: FormReading; values: FormValues | null };

/** Reads the text also while the form is hidden, so that the form opens with the last valid values. */
export function useFormReading(text: string | null): ShownForm {
  const reading = useMemo(() => readForm(text ?? ""), [text]);
  const [good, setGood] = useState<FormValues | null>(null);
  const values = text !== null && reading.ok ? reading.values : null;
  if (values !== null && values !== good) setGood(values);
  return { reading, values: values ?? good };
}
