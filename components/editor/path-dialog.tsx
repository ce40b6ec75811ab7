import { Upload } from "lucide-react";
import { type FormEvent, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { pathProblem } from "./model/path-problem";

type PathDialogProps = {
  title: string;
  actionLabel: string;
  initial: string;
  others: readonly string[];
  onDone: (path: string) => void;
  onClose: () => void;
};

export function PathDialog({ title, actionLabel, initial, others, onDone, onClose }: PathDialogProps) {
  const formId = useId();
  const [path, setPath] = useState(initial);
  const [wasTried, setWasTried] = useState(false);
  const trimmed = path.trim().normalize("NFC");
  const problem = trimmed === "" ? "Enter a path." : pathProblem(trimmed, others);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setWasTried(true);
    if (problem !== null) return;
    onClose();
    if (trimmed !== initial) onDone(trimmed);
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={title}
        size="sm"
        footer={
          <>
            <DialogClose asChild>
              <Button>Cancel</Button>
            </DialogClose>
            <Button variant="primary" type="submit" form={formId}>
              {actionLabel}
            </Button>
          </>
        }
      >
        <form id={formId} onSubmit={submit}>
          <Field
            label="Path"
            help="Include folders in the path, such as references/rules.md."
            error={problem !== null && (wasTried || path !== initial) && trimmed !== "" ? problem : undefined}
          >
            <Input
              value={path}
              onChange={(event) => setPath(event.target.value)}
              className="font-mono"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          </Field>
        </form>
      </DialogContent>
    </Dialog>
  );
}

type UploadButtonProps = { label: string; multiple?: boolean; onChosen: (files: File[]) => void };

export function UploadButton({ label, multiple = false, onChosen }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        multiple={multiple}
        aria-label={`${label}: choose a file`}
        className="hidden"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // Lets the user choose the same file again.
          event.target.value = "";
          if (files.length > 0) onChosen(files);
        }}
      />
    </>
  );
}
