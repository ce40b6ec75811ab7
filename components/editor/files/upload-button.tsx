import { Upload } from "lucide-react";
import { useRef } from "react";
import { Button } from "@/components/ui/button";

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
          // The same file may be chosen again.
          event.target.value = "";
          if (files.length > 0) onChosen(files);
        }}
      />
    </>
  );
}
