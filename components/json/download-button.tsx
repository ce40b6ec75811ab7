import { Download } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";

type DownloadButtonProps = {
  label: string;
  filename: string;
  text: string | (() => string);
};

export function DownloadButton({ label, filename, text }: DownloadButtonProps) {
  return (
    <IconButton label={label} size="sm" onClick={() => saveText(filename, typeof text === "string" ? text : text())}>
      <Download aria-hidden />
    </IconButton>
  );
}

function saveText(filename: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  link.click();
  // Revoking immediately can cancel the download.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
