export type PageBytes = { page: string; bytes: number };

/** Gzip bytes of the scripts that each page of a Next build loads at first. */
export function measurePages(distDir: string): { framework: number; pages: PageBytes[] };
/** The ceiling of a page in bytes; null for pages without one. */
export function ceilingOf(page: string): number | null;
