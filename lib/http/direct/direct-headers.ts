import type { IncomingMessage } from "node:http";

/** The headers of Node's own request, looked up there; what goes beyond one name at a time takes them all over first. */
export class DirectHeaders extends Headers {
  #message: IncomingMessage | null;

  constructor(message: IncomingMessage) {
    super();
    this.#message = message;
  }

  override get(name: string): string | null {
    if (this.#message === null) return super.get(name);
    const value = this.#message.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  }
  override has(name: string): boolean {
    return this.#message === null ? super.has(name) : this.#message.headers[name.toLowerCase()] !== undefined;
  }
  override append(name: string, value: string): void {
    this.#fill();
    super.append(name, value);
  }
  override set(name: string, value: string): void {
    this.#fill();
    super.set(name, value);
  }
  override delete(name: string): void {
    this.#fill();
    super.delete(name);
  }
  override forEach(...args: Parameters<Headers["forEach"]>): void {
    this.#fill();
    super.forEach(...args);
  }
  override entries() {
    this.#fill();
    return super.entries();
  }
  override keys() {
    this.#fill();
    return super.keys();
  }
  override values() {
    this.#fill();
    return super.values();
  }
  override getSetCookie(): string[] {
    this.#fill();
    return super.getSetCookie();
  }
  override [Symbol.iterator]() {
    return this.entries();
  }

  #fill(): void {
    const message = this.#message;
    if (message === null) return;
    this.#message = null;
    for (const [name, values] of Object.entries(message.headers)) {
      for (const value of Array.isArray(values) ? values : [values ?? ""]) super.append(name, value);
    }
  }
}
