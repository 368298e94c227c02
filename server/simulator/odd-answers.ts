import type { ServerResponse } from "node:http";

/** Sends an HTML page, as a proxy does. */
export function sendPage(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
  response.end(
    "<!DOCTYPE html><html><head><title>Error</title></head><body>Sorry, something went wrong.</body></html>",
  );
}

/** Sends a status without a body. */
export function sendNothing(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-length": "0" });
  response.end();
}

/** Sends the head and half of the body, then breaks the connection. */
export function sendHalf(response: ServerResponse, value: object): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(200, { "content-type": "application/json", "content-length": String(body.length) });
  response.write(body.subarray(0, body.length >> 1), () => response.destroy());
}
