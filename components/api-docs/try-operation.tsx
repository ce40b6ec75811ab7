import { useMutation } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";
import { api } from "@/lib/client/api";

const MAX_CHARS = 4_000;

/** Sends a GET request as the signed-in person and shows the answer. */
export function TryOperation({ path }: { path: string }) {
  const attempt = useMutation({ mutationFn: () => api<unknown>(path, { signInOn401: false }) });
  const text = attempt.isSuccess ? JSON.stringify(attempt.data, null, 2) : "";
  return (
    <div className="flex flex-col gap-2">
      <Button size="sm" className="self-start" pending={attempt.isPending} onClick={() => attempt.mutate()}>
        Try it
      </Button>
      <div aria-live="polite" className="empty:hidden">
        {attempt.isError ? <Notice tone="danger">{errorText(attempt.error)}</Notice> : null}
        {attempt.isSuccess ? (
          <CodeBlock
            label={`Answer of ${path}`}
            language="json"
            code={
              text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n… cut off after ${MAX_CHARS} characters` : text
            }
            className="max-h-96"
          />
        ) : null}
      </div>
    </div>
  );
}
