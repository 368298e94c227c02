import { randomInt } from "node:crypto";
import { closeContexts, openBrowser } from "@/e2e/support/browser";
import { demo, type Demo } from "@/e2e/support/cli";
import { REPOSITORY } from "@/e2e/support/program";
import type { Role, SystemActor } from "@/server/core/actor";
import { attach } from "@/server/ops/cli/attach";
import { createClosers } from "@/server/lib/closers";
import { readConfig } from "@/server/platform/config";
import type { Context, Services } from "@/server/core/context";
import { createLogger } from "@/server/platform/log";
import { createMember } from "@/server/domain/members/create";
import { type AdminPage, pageOpener, type Session, type View } from "./open-page";
import { askSharedServer, type SharedServer } from "@/e2e/support/shared-server";
import { type Person, signInAs } from "./sign-in";

/** A demo organization and a browser for one file, and the services over the shared server's database. */
export interface AdminWorld {
  readonly server: SharedServer;
  readonly demo: Demo;
  readonly services: Services;
  /** A context for Waypost's own work on the demo organization. */
  readonly ctx: Context<SystemActor>;
  readonly owner: Person;
  /** The source address of the browser's requests, as a proxy reports it. */
  readonly address: string;
  addMember(role: Role, permissions?: string[]): Promise<Person>;
  /** Signs the person in if they aren't yet. */
  open(person: Person, view?: View): Promise<AdminPage>;
  /** A browser without a session; its paths are relative to the server. */
  visit(view?: View): Promise<AdminPage>;
  close(): Promise<void>;
}

const PASSWORD = "correct horse battery";

export async function openAdminWorld(): Promise<AdminWorld> {
  const server = await askSharedServer();
  const closers = createClosers();
  const config = readConfig({ ...server.env, NODE_ENV: "production" }, REPOSITORY);
  const { services } = await attach({ config, log: createLogger({ level: "warn" }), closers });
  const organization = await demo(server);
  const browser = await openBrowser();
  // One address per file, because the number of sign-in attempts per address is limited.
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const openPage = pageOpener(browser, server.baseUrl);
  const visit: Visit = (view, session) => openPage({ address, ...view }, session);
  const actor: SystemActor = {
    kind: "system",
    organizationId: organization.organization_id,
    job: "test",
  };
  const ctx: Context<SystemActor> = { services, actor, requestId: null };
  return {
    server,
    demo: organization,
    services,
    ctx,
    owner: organization.sign_in,
    address,
    async addMember(role, permissions = []) {
      const email = `${role}-${randomInt(2 ** 47)}@example.com`;
      await createMember({
        ctx,
        input: { email, name: `An ${role}`, password: PASSWORD, role, permissions },
      });
      return { email, password: PASSWORD };
    },
    open: opener(visit, organization.organization_id),
    visit,
    async close() {
      await closeContexts(browser);
      await closers.closeAll();
    },
  };
}

type Visit = (view?: View, session?: Session) => Promise<AdminPage>;

function opener(visit: Visit, organizationId: string): AdminWorld["open"] {
  const sessions = new Map<string, Session>();
  return async (person, view) => {
    const session = sessions.get(person.email) ?? (await signIn(visit, person));
    sessions.set(person.email, session);
    const { go, ...admin } = await visit(view, session);
    return { ...admin, go: (path) => go(`/o/${organizationId}${path}`) };
  };
}

async function signIn(visit: Visit, person: Person): Promise<Session> {
  const { page, go, close } = await visit();
  await go("/sign-in");
  await signInAs(page, person);
  const session = await page.context().storageState();
  await close();
  return session;
}
