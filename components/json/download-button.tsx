import { Download } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";

type DownloadButtonProps = {
  label: string;
  filename: string;
  text: string | (() => string);
};

export function DownloadButton({ label, filename, text }: DownloadButtonProps) {
  const save = () =>
    saveBlob(filename, new Blob([typeof text === "string" ? text : text()], { type: "text/plain;charset=utf-8" }));
  return (
    <IconButton label={label} size="sm" onClick={save}>
      <Download aria-hidden />
    </IconButton>
  );
}

export function saveBlob(filename: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  link.click();
  // Revoking immediately cancels the download in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
