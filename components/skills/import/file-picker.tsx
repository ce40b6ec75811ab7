import { FileUp, FolderUp } from "lucide-react";
import { type ChangeEvent, useRef } from "react";
import { Button } from "@/components/ui/button";
import type { PickedFile } from "./import-files";

type FilePickerProps = {
  onPick: (files: Promise<PickedFile[]>) => void;
  compact?: boolean;
};

const accepted = ".md,.zip,.tgz,.gz,.tar.gz,application/zip,application/gzip,text/markdown";

export function FilePicker({ onPick, compact = false }: FilePickerProps) {
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);

  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    event.target.value = "";
    if (files.length > 0)
      onPick(Promise.resolve(files.map((file) => ({ path: file.webkitRelativePath || file.name, file }))));
  };

  return (
    <>
      <input ref={fileInput} type="file" accept={accepted} onChange={pick} hidden data-testid="import-file" />
      <input ref={folderInput} type="file" onChange={pick} hidden {...{ webkitdirectory: "" }} />
      {compact ? (
        <Button onClick={() => fileInput.current?.click()}>Choose another file</Button>
      ) : (
        <div className="flex flex-col items-center gap-4 rounded-md border border-dashed px-6 py-12 text-center">
          <FolderUp aria-hidden strokeWidth={1.5} className="size-7 text-muted-foreground" />
          <div>
            <p className="font-medium">Drop a skill here, or anywhere on the page</p>
            <p className="mt-1 text-13 text-muted-foreground">
              A folder, a SKILL.md or an archive (.zip, .tar.gz, .tgz) with one or more skills, up to 20 MiB.
            </p>
          </div>
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="primary" onClick={() => fileInput.current?.click()}>
              <FileUp aria-hidden />
              Choose a file
            </Button>
            <Button onClick={() => folderInput.current?.click()}>
              <FolderUp aria-hidden />
              Choose a folder
            </Button>
          </div>
        </div>
      )}
    </>
  );
}
