import { expect, it } from "vitest";
import { expectedRows } from "@/e2e/outcomes/expected";
import { readConfig } from "@/server/platform/config";
import { documentation } from "./documentation";
import { PUBLIC_CODES } from "@/server/platform/errors";
import { upstreamOutcome } from "@/server/adapters/whatsapp/outcomes";

const facts = documentation({
  config: readConfig({ NODE_ENV: "test", WAYPOST_PUBLIC_URL: "https://waypost.example/" }, "/app"),
});

it("tells every code that a request with a key can meet once, those of one status together", () => {
  expect(facts.errors.map(({ code }) => code).sort()).toEqual([...PUBLIC_CODES].sort());
  const statuses = facts.errors.map(({ status }) => status ?? Number.POSITIVE_INFINITY);
  expect(statuses).toEqual([...statuses].sort((a, b) => a - b));
});

it("tells each variable's default as the configuration has it", () => {
  const config = readConfig({ NODE_ENV: "test" }, "/app");
  const defaults = Object.fromEntries(facts.variables.map(({ name, defaultValue }) => [name, defaultValue]));
  expect(defaults).toMatchObject({
    PORT: String(config.port),
    WAYPOST_ROLE: config.role,
    WAYPOST_SEND_SLOTS: String(config.sendSlots),
    DATABASE_URL: null,
    ALLOWED_PRIVATE_HOSTS: null,
  });
});

it("knows the address under which the service is reached, without a slash at its end", () => {
  expect(facts.publicUrl).toBe("https://waypost.example");
});

it("tells every command with its arguments", () => {
  expect(facts.commands).toContainEqual({
    name: "key rotate <id>",
    description: "give a key a new secret and show it once",
  });
  expect(facts.commands.map(({ name }) => name)).toContain("demo");
});

it("marks the recipients whose message stops the whole channel, and no others", () => {
  const marked = facts.simulated.flatMap(({ suffix, pausesChannel }) => (pausesChannel ? [suffix] : []));
  // An expired token: with its own number, refused at every call, and refused once; a limit that is reported in a
  // status.
  expect(marked).toEqual(expect.arrayContaining(["99060", "99102", "99402", "99212"]));
  for (const suffix of [null, "99011", "99110", "99111", "99410"]) expect(marked).not.toContain(suffix);
});

it("marks the recipients whose message stops its template for everybody, and no others", () => {
  const marked = facts.simulated.flatMap(({ suffix, stopsTemplate }) => (stopsTemplate ? [suffix] : []));
  expect(marked).toEqual(expect.arrayContaining(["99052", "99143", "99146", "99246", "99147"]));
  for (const suffix of [null, "99011", "99102", "99110"]) expect(marked).not.toContain(suffix);
});

it("tells every code of WhatsApp's that is explained, those of missing permissions as a range", () => {
  const codes = facts.upstreamCodes.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(["131026", "190", "200 to 299"]));
  const isDocumented = (code: number) => codes.includes(String(code)) || (code >= 200 && code <= 299);
  const unknown = facts.simulatorErrors.filter(
    ({ code }) => !isDocumented(code) && upstreamOutcome(code) !== null,
  );
  expect(unknown).toEqual([]);
});

it("tells for each code which simulated numbers make it, as the outcomes of all numbers are expected", () => {
  const told = facts.errors.flatMap(({ code, simulatedBy }) =>
    simulatedBy.map((suffix) => `${suffix} ${code}`),
  );
  const expected = expectedRows().flatMap(({ suffix, state, code }) =>
    state === "failed" ? [`${suffix} ${code}`] : [],
  );
  expect(told.toSorted()).toEqual(expected.toSorted());
  expect(told).toContain("99011 undeliverable");
});

it("tells what agents may, what they can be given, and what only owners and admins may", () => {
  const agents = (isWanted: (right: (typeof facts.rights)[number]) => boolean) =>
    facts.rights.filter(isWanted).map(({ words }) => words);
  expect(agents(({ roles }) => roles.includes("agent"))).toContain(
    "find messages, and see their delivery status",
  );
  expect(agents(({ roles, isGrantable }) => !roles.includes("agent") && isGrantable)).toContain(
    "manage API keys and webhooks",
  );
  expect(agents(({ roles, isGrantable }) => !roles.includes("agent") && !isGrantable)).toContain(
    "invite members, and change their permissions",
  );
});
