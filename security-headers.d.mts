type Header = { key: string; value: string };
export const everywhere: readonly Header[];
export const ofApi: readonly Header[];
