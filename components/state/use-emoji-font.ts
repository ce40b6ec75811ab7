import { useSyncExternalStore } from "react";

let known: boolean | undefined;

/** Whether this machine draws emoji in colour; on some Linux desktops and servers no font has them, and boxes appear. */
export function useEmojiFont(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => {
      known ??= drawsInColour("\u{1f600}");
      return known;
    },
    () => true,
  );
}

function drawsInColour(emoji: string): boolean {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 16;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return true;
  context.textBaseline = "top";
  context.font = "14px sans-serif";
  context.fillText(emoji, 0, 0);
  const { data } = context.getImageData(0, 0, 16, 16);
  // Boxes of missing letters are drawn in black, so that each of their pixels has equal parts.
  return data.some((value, index) => index % 4 === 0 && (value !== data[index + 1] || value !== data[index + 2]));
}
