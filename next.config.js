import { PHASE_PRODUCTION_SERVER } from "next/constants.js";

/**
 * `server/start.mjs` builds into a directory of its own for every source and names it in this variable
 * (relative to this file, because Next joins it to the project's directory). Plain `next build`, `next start`
 * and `next dev` fall back to Next's own default.
 */
const startDistDir = process.env.WAYPOST_NEXT_DIST_DIR;

/**
 * Requests for the markdown of a page: by its address with `.md`, or by `Accept` at the page's own address, if markdown
 * is accepted without a lower preference (`q`), or HTML isn't accepted at all.
 *
 * @type {import("next/dist/lib/load-custom-routes").Rewrite[]}
 */
const MARKDOWN = [
  { source: "/docs", suffix: "" },
  { source: "/docs/:page((?!markdown).+)", suffix: "/:page" },
].flatMap(({ source, suffix }) => {
  const destination = `/docs/markdown${suffix}`;
  const accept = (/** @type {string} */ value) => ({
    type: /** @type {const} */ ("header"),
    key: "accept",
    value,
  });
  return [
    { source: `/docs${suffix && "/:page(.+)"}\\.md`, destination },
    { source, destination, has: [accept(".*text/markdown(?!\\s*;\\s*q=0).*")] },
    {
      source,
      destination,
      has: [accept(".*text/markdown.*")],
      missing: [accept(".*(text/html|\\*/\\*).*")],
    },
  ];
});

/** @type {import("next").NextConfig} */
const config = {
  distDir: startDistDir ?? ".next",
  turbopack: {
    // Without it, Next looks for lock files in the directories above the checkout.
    root: import.meta.dirname,
    // A second copy of the server, which only Next alone uses, takes two fifths of the time of a build.
    resolveAlias: startDistDir ? { "@/server/standalone": "./server/build/no-standalone.mjs" } : {},
  },
  // The address that a start prints: in development Next takes only localhost for its own.
  allowedDevOrigins: ["127.0.0.1"],
  // The pages of the documentation are MDX.
  pageExtensions: ["ts", "tsx", "mdx"],
  reactStrictMode: true,
  poweredByHeader: false,
  // The public API answers a trailing slash itself, as it does without Next.
  skipTrailingSlashRedirect: true,
  agentRules: false,
  // `npm run verify` checks the types of the whole program; a start needn't repeat it.
  typescript: { ignoreBuildErrors: true },
  // The pages have no images to resize, and `sharp` isn't installed.
  images: { unoptimized: true },
  rewrites: async () => ({ beforeFiles: MARKDOWN, afterFiles: [], fallback: [] }),
  experimental: {
    // Takes a quarter of the time of a build, and the server's copy isn't sent to browsers.
    serverMinification: false,
    // Keeps paths of the build directory out of tsconfig.json, which is committed.
    strictRouteTypes: true,
    // Keeps the page, and tries again, where another page can't be fetched: app/(admin)/o/[organization]/shell/shell.tsx.
    useOffline: true,
    // Every build has a new directory, so a cache in it would be written and never read.
    turbopackFileSystemCacheForBuild: false,
  },
};

/** A server in production only runs what was built, so it needn't load the compiler. */
export default async function configOf(/** @type {string} */ phase) {
  if (phase === PHASE_PRODUCTION_SERVER) return config;
  const { default: createMdx } = await import("@next/mdx");
  const withMdx = createMdx({
    options: {
      remarkPlugins: ["remark-gfm"],
      // Passes what follows the language of a code block to the component that shows it.
      rehypePlugins: ["rehype-mdx-code-props"],
      providerImportSource: "@/app/docs/parts/mdx",
    },
  });
  return withMdx(config);
}
