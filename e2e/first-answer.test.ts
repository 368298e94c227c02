import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hydrated } from "@/e2e/admin/support/hydrated";
import { signInAs } from "@/e2e/admin/support/sign-in";
import { closeContexts, openBrowser } from "@/e2e/support/browser";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { httpCall } from "@/e2e/support/http-call";
import { limitMs } from "@/e2e/support/machine-speed";
import { startProgram } from "@/e2e/support/program";
import { until } from "@/e2e/support/until";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";

/** The promise, from the first start of a program that is built to the customer's answer. */
const ANSWER_TIMEOUT_MS = limitMs(60_000);

let dataDir: string;
let server: Waypost | undefined;
beforeAll(async () => {
  // The promise is about a program that is built.
  const { code } = await startProgram(["build"], {}).ended;
  if (code !== 0) throw new Error("The build failed");
  dataDir = await createDataDirectory();
});
afterAll(async () => {
  await closeContexts(await openBrowser());
  await server?.stop();
  await removeDataDirectory(dataDir);
});

it("takes less than 60 s from the first start to the customer's answer, by the printed lines alone", async () => {
  const startedAt = performance.now();
  server = await startWaypost({ dataDir });
  const printed = await until("the greeting is printed", () => greetingIn(server?.program.stdout() ?? ""));
  const context = await (await openBrowser()).newContext();
  const page = await context.newPage();
  await page.goto(`${server.baseUrl}/sign-in?next=${encodeURIComponent(new URL(printed.phone).pathname)}`);
  await hydrated(page);
  await signInAs(page, printed);
  const phone = page.getByRole("region", { name: "Phone" });
  const written = phone.getByRole("article", { name: "Message from the customer" });
  await written.getByText("Is my order on its way?").waitFor();

  const { url, headers, body } = requestOf(printed.curl);
  expect((await httpCall({ method: "POST", url, headers, body: Buffer.from(body) })).status).toBe(201);
  const bubble = phone.getByRole("article", { name: "Message from the business" });
  await bubble.getByText("Hello from Waypost").waitFor();
  await bubble.getByText("read", { exact: true }).waitFor();
  await phone.getByLabel("Message as the customer").fill("Hello, shop! 👋");
  await page.keyboard.press("Enter");
  const answer = written.filter({ hasText: "Hello, shop! 👋" });
  await answer.waitFor();
  await answer.getByText("delivered").waitFor({ state: "attached" });
  expect(performance.now() - startedAt).toBeLessThan(ANSWER_TIMEOUT_MS);

  await page.goto(printed.inbox);
  await page.getByRole("row").filter({ hasText: "message.received" }).first().waitFor();
  await page.goto(printed.inbox.replace(/webhooks\/inbox$/, `contacts?q=${printed.number}`));
  await page.getByRole("table").getByRole("link").first().click();
  await page.getByRole("heading", { name: "Conversations" }).waitFor();
  await page.getByText(/open/).first().waitFor();
  await page.getByRole("main").getByRole("link", { name: "Customer’s phone" }).waitFor();
  await page.getByRole("link", { name: "Messages on Support" }).click();
  await page
    .getByText(/^hello-/)
    .first()
    .waitFor();
});

/** Returns what the greeting tells a newcomer. Null until it is printed as a whole. */
function greetingIn(output: string) {
  const found = (pattern: RegExp) => pattern.exec(output)?.[1];
  const curl = /^curl .*(?:(?<=\\)\n.*)*$/m.exec(output)?.[0];
  const phone = found(/answer as that customer: (\S+)$/m);
  const inbox = found(/Webhook inbox: (\S+)$/m);
  const email = found(/Sign-in +(\S+)$/m);
  const password = found(/Password +(\S+)$/m);
  if (!curl || !phone || !inbox || !email || !password) return null;
  return { curl, phone, inbox, email, password, number: phone.split("/").at(-1) ?? "" };
}

/** Returns the request that a shell makes of the command. */
function requestOf(command: string) {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  const [silent, url = "", , key = "", , type = "", , body = ""] = stdout.split("\0");
  expect(silent).toBe("-sS");
  const headers = Object.fromEntries([key, type].map((line) => line.split(": ", 2)));
  return { url, headers, body };
}
