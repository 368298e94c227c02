/** The allowed directions of imports; each rule says why. `npm run verify` checks them. */
const TEST = "(\\.test\\.tsx?|\\.fixture\\.ts|(^|/)testing[^/]*\\.ts|-testing\\.ts|^e2e/)";

/** Layers of the server, lowest first. A layer imports only from the layers before it. */
const LAYERS = [
  ["lib", "Helpers without policy: they know nothing of Waypost."],
  ["platform", "Configuration, errors, log and secrets: what a process needs before it has a domain."],
  ["adapters", "The world outside: WhatsApp, outbound calls, rate limits, metrics, files."],
  ["core", "What every verb uses: context, actor, capabilities, procedure, input, queue."],
  ["domain", "What Waypost is: one room for each entity."],
  ["transport", "HTTP helpers that edge, ops and inngest share."],
  ["edge", "What calls in: HTTP, tRPC, public API, sign-in, callbacks. A sibling of ops."],
  ["ops", "What operators use: CLI, doctor, metrics, demo. A sibling of edge."],
  ["boot", "Puts a process together; only the entry points import it."],
];
const SIBLINGS = { ops: ["edge"] };

/** Rooms of the domain, lowest first. A room imports only from the rooms before it. */
const ROOMS = [
  "organizations/",
  "keys/",
  "auth/",
  "account/",
  "members/",
  "setup/",
  "templates/",
  "channels/",
  "uploads/",
  "customer-files/",
  "webhooks/outbox/",
  "conversations/",
  "contacts/",
  "threads/",
  "phone/",
  "audit/",
  "messages/model/",
  "webhooks/events/",
  "messages/status/",
  "messages/receive/",
  "messages/deliver/",
  "messages/read/",
  "messages/send/",
  "messages/marks/",
  "messages/[^/]+$",
  "webhooks/endpoints/",
  "webhooks/deliver/",
  "webhooks/replay/",
  "webhooks/[^/]+$",
  "inbox/",
  "erasure/",
  "retention/",
  "requests/",
  "support/",
  "usage/",
  "callbacks/",
  "[^/]+$",
];

const layerRules = LAYERS.map(([layer, purpose], index) => {
  const above = [...LAYERS.slice(index + 1).map(([name]) => name), ...(SIBLINGS[layer] ?? [])];
  return {
    name: `layer-${layer}`,
    comment: `${purpose} It imports nothing from the layers above it.`,
    severity: "error",
    from: { path: `^server/${layer}/`, pathNot: TEST },
    to: { path: `^server/(${above.join("|") || "-"})/|^server/[^/]+$|^(inngest|app)/` },
  };
});

const roomRules = ROOMS.slice(0, -1).map((room, index) => ({
  name: `room-${room.replace(/\W+$/, "").replaceAll("/", "-").replace("[^", "router") || "root"}`,
  comment: "Rooms of the domain are ordered: what both of two rooms need lies in the lower one.",
  severity: "error",
  from: { path: `^server/domain/${room}`, pathNot: TEST },
  to: { path: ROOMS.slice(index + 1).map((above) => `^server/domain/${above}`), pathNot: TEST },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "app-imports-types-only",
      comment:
        "Next compiles its own copy of what app imports: two copies of a module have two states, and instanceof fails across them. app/runtime.ts may load the runtime where no program made one. server/lib/invisible-characters.ts and picture-types.ts are constants: their copies are the same.",
      severity: "error",
      from: { path: "^app/", pathNot: "^app/runtime\\.ts$" },
      to: {
        path: "^(server|inngest)/",
        pathNot: "^server/lib/(invisible-characters|picture-types)\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "what-app-shares-imports-nothing",
      comment: "What it imported would come into the pages with it.",
      severity: "error",
      from: { path: "^server/lib/(invisible-characters|picture-types)\\.ts$" },
      to: {},
    },
    {
      name: "runtime-is-loaded-late",
      comment:
        "app/runtime.ts loads the runtime by a dynamic import, so that the bundled program never runs a second copy.",
      severity: "error",
      from: { path: "^app/runtime\\.ts$" },
      to: { path: "^(server|inngest)/", dependencyTypesNot: ["type-only", "dynamic-import"] },
    },
    {
      name: "app-never-touches-the-database",
      comment:
        "Pages and mounts hold no logic; every rule lives in a verb below server, which all entry points share.",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^db/|^node_modules/(drizzle-orm|postgres)/" },
    },
    {
      name: "nothing-imports-app",
      comment: "app is the outermost layer; whatever two layers share belongs below server.",
      severity: "error",
      from: { pathNot: "^app/" },
      to: { path: "^app/" },
    },
    {
      name: "db-stands-alone",
      comment: "The schema and the embedded PostgreSQL know nothing of the program that uses them.",
      severity: "error",
      from: { path: "^db/" },
      to: { path: "^(server|inngest)/" },
    },
    {
      name: "only-main-imports-inngest",
      comment:
        "Verbs notify jobs through the port server/core/jobs.ts; only the entry points connect Inngest to it.",
      severity: "error",
      from: { path: "^server/", pathNot: ["^server/(main|standalone)\\.ts$", TEST] },
      to: { path: "^(inngest|node_modules/inngest)/" },
    },
    {
      name: "only-public-api-imports-trpc-openapi",
      comment:
        "The library coerces inputs in place and words errors its own way; the bridge is where both are contained.",
      severity: "error",
      from: { pathNot: "^server/edge/public/" },
      to: { path: "^node_modules/(trpc-openapi|trpc-to-openapi)/" },
    },
    {
      name: "only-limits-imports-redis",
      comment: "Limits are one interface with several engines; an engine seen elsewhere can't be replaced.",
      severity: "error",
      from: { pathNot: ["^server/adapters/limits/", TEST] },
      to: { path: "^node_modules/(@upstash|ioredis)/" },
    },
    ...layerRules,
    ...roomRules,
    {
      name: "simulator-stands-alone",
      comment:
        "It stands in for Meta: code shared with our client would hide the same mistake on both sides.",
      severity: "error",
      from: { path: "^server/simulator/", pathNot: TEST },
      to: {
        path: "^(server|db|inngest)/",
        pathNot: "^server/simulator/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "client-stands-alone",
      comment:
        "It is a package for others, for Node, browsers and edge runtimes: what it imports would have to be published with it.",
      severity: "error",
      from: { path: "^server/client/", pathNot: [TEST, "^server/client/build\\.mjs$"] },
      to: { pathNot: "^server/client/" },
    },
    {
      name: "nothing-imports-client",
      comment: "The program must not know what its clients know of it.",
      severity: "error",
      from: { pathNot: ["^server/client/", TEST] },
      to: { path: "^server/client/" },
    },
    {
      name: "start-needs-only-node",
      comment: "It runs before anything is installed or built, so it can only import what Node brings along.",
      severity: "error",
      from: { path: "^server/(start|build/[^/]+)\\.mjs$" },
      to: {
        pathNot: "^server/build/[^/]+\\.mjs$",
        dependencyTypesNot: ["core", "type-only", "type-import", "dynamic-import", "jsdoc"],
      },
    },
    {
      name: "no-test-code-in-the-program",
      comment: "What tests need isn't installed or allowed where the program runs.",
      severity: "error",
      from: { pathNot: TEST },
      to: { path: TEST },
    },
    {
      name: "no-development-package-in-the-program",
      comment: "A server is installed without devDependencies, and builds itself there.",
      severity: "error",
      from: { path: "^(app|server|db|inngest)/", pathNot: [TEST, "\\.config\\.ts$"] },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only", "jsdoc"] },
    },
    {
      name: "no-undeclared-package",
      comment: "A package that only comes along with another one can vanish with its next version.",
      severity: "error",
      // The packages made from this one declare no tools: this one has them.
      from: { path: "^(app|server|db|inngest|e2e)/", pathNot: "^server/(client|simulator)/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "no-cycle",
      comment:
        "Modules in a cycle are initialised in an order that depends on who comes first. Types may refer to each other.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-unresolvable",
      comment: "An import that can't be resolved fails at run time at the latest.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    // Its resolver would else try the folder `inngest` before the package of that name.
    tsConfig: { fileName: ".dependency-cruiser.tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    // The tools of e2e/generators are a package of their own.
    exclude: { path: "(^|/)(dist|data|\\.next|\\.git)/|^e2e/generators/tools/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
