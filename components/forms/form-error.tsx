import { errorText } from "@/components/state/describe-error";
import { Notice } from "@/components/ui/notice";
import { ApiError } from "@/lib/client/api";

/** Why a form was not taken, unless its fields say so themselves. */
export function FormError({ error }: { error: Error | null }) {
  const isAtFields = error instanceof ApiError && error.errors.length > 0;
  if (error === null || isAtFields) return null;
  return (
    <Notice tone="danger" announce>
      {errorText(error)}
    </Notice>
  );
}
