export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-80 -translate-y-16 rounded-md bg-primary px-3 py-2 font-medium text-13 text-primary-foreground focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
