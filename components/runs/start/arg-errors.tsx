import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { ApiFieldError } from "@/lib/client/api";

type ArgErrorsProps = { errors: readonly ApiFieldError[]; onSendAnyway?: (() => void) | undefined };

/** Everything that is wrong in one place, each with the way to its field. */
export function ArgErrors({ errors, onSendAnyway }: ArgErrorsProps) {
  if (errors.length === 0) return null;
  const title = errors.length === 1 ? "One argument needs a change" : `${errors.length} arguments need a change`;
  return (
    <Notice tone="danger" title={title} announce>
      <ul className="mt-1 flex flex-col gap-0.5">
        {errors.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="break-words">
            {path === "" ? null : (
              <>
                <Button variant="link" className="inline h-auto px-0 font-mono text-xs" onClick={() => focusArg(path)}>
                  {path}
                </Button>{" "}
              </>
            )}
            {message}
          </li>
        ))}
      </ul>
      {onSendAnyway ? (
        <p className="mt-1.5 text-muted-foreground">
          Is this wrong?{" "}
          <Button variant="link" className="inline h-auto px-0" onClick={onSendAnyway}>
            Let the server check
          </Button>
        </p>
      ) : null}
    </Notice>
  );
}

/** Puts the focus on an argument's control, or on the nearest thing around it. */
export function focusArg(path: string): boolean {
  const segments = path.split(".");
  for (let length = segments.length; length > 0; length--) {
    const id = ["arg", ...segments.slice(0, length)].join("_");
    const field = document.getElementById(id) ?? document.querySelector(`[data-field="${CSS.escape(id)}"]`);
    const target = field?.matches("input, textarea, select, button")
      ? field
      : (field?.querySelector("input, textarea, select, button") ?? field);
    if (!(target instanceof HTMLElement)) continue;
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
    return true;
  }
  return false;
}
