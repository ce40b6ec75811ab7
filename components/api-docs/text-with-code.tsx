export function TextWithCode({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
      <code key={index} className="rounded-sm bg-muted px-1 font-mono text-[0.9em]">
        {part}
      </code>
    ),
  );
}
