import { errorText } from "@/components/state/describe-error";
import { Notice } from "@/components/ui/notice";
import { ApiError } from "@/lib/client/api";

/** The error of a form, unless its fields show it. */
export function FormError({ error }: { error: Error | null }) {
  const isAtFields = error instanceof ApiError && error.errors.length > 0;
  if (error === null || isAtFields) return null;
  return (
    <Notice tone="danger" announce>
      {errorText(error)}
    </Notice>
  );
}
