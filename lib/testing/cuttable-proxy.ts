import { type AddressInfo, connect as connectTo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export type CuttableProxy = { url: string; cut(): void; restore(): void };

/** Forwards TCP connections to a local port until `cut`, which closes them and refuses new ones. */
export async function startCuttableProxy(port: number): Promise<CuttableProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connectTo(port, "127.0.0.1");
    keep(near, far);
    keep(far, near);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    cut,
    restore: () => {
      isCut = false;
    },
  };
}
