/** The address under which a route answers a request to a door; null for every other address. */
export function rewriteDoor(url: string): string | null;
