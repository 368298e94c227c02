const base = require("./.dependency-cruiser.cjs");

const TEST = base.forbidden.find(({ name }) => name === "no-test-code-in-the-program").to.path;

/**
 * No two folders of the program import each other, directly or through others. Tests may, so they are left out.
 * `npm run verify` checks it.
 *
 * @type {import("dependency-cruiser").IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: "no-circle-of-folders",
      comment:
        "Of two folders that import each other nobody can say which stands on which. What both need lies below them.",
      severity: "error",
      scope: "folder",
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...base.options, exclude: { path: [base.options.exclude.path, TEST] } },
};
