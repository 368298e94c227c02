import type { RedocRawOptions } from "redoc";

/** The colours of app/ui/base.css. Redoc computes others from them, so it can't be given CSS variables. */
const COLOURS = {
  light: {
    surface: "#fbfbf9",
    raised: "#f1f2ee",
    ink: "#1a1f1c",
    inkSoft: "#555d58",
    line: "#dcdfd9",
    accent: "#0b6b4f",
    danger: "#a3261b",
  },
  dark: {
    surface: "#131614",
    raised: "#1c211e",
    ink: "#e9ece9",
    inkSoft: "#a3aca6",
    line: "#2d332f",
    accent: "#63d3aa",
    danger: "#f3a59b",
  },
} as const;

/** Samples are dark in both colour schemes: their syntax colours are Redoc's own, for a dark background. */
const SAMPLES = COLOURS.dark;

export type ColourScheme = keyof typeof COLOURS;

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';
/** Wider than any screen, so that samples are always below their operation. */
const NEVER = "1000rem";

export function redocOptions(scheme: ColourScheme): RedocRawOptions {
  const colour = COLOURS[scheme];
  return {
    disableSearch: true,
    hideDownloadButtons: true,
    hideLoading: true,
    nativeScrollbars: true,
    hideSchemaTitles: true,
    // The descriptions explain the patterns.
    hideSchemaPattern: true,
    jsonSamplesExpandLevel: 3,
    scrollYOffset: 16,
    theme: {
      breakpoints: { small: "44rem", medium: NEVER, large: NEVER },
      spacing: { unit: 5, sectionHorizontal: 0, sectionVertical: 20 },
      colors: {
        primary: { main: colour.accent },
        success: { main: colour.accent },
        error: { main: colour.danger },
        gray: { 50: colour.raised, 100: colour.raised },
        text: { primary: colour.ink, secondary: colour.inkSoft },
        border: { dark: colour.line, light: colour.line },
        responses: {
          success: { color: colour.accent, backgroundColor: colour.raised, tabTextColor: SAMPLES.accent },
          error: { color: colour.danger, backgroundColor: colour.raised, tabTextColor: SAMPLES.danger },
          redirect: { color: colour.ink, backgroundColor: colour.raised, tabTextColor: SAMPLES.ink },
          info: { color: colour.ink, backgroundColor: colour.raised, tabTextColor: SAMPLES.ink },
        },
      },
      schema: {
        nestedBackground: colour.raised,
        linesColor: colour.line,
        typeNameColor: colour.inkSoft,
        typeTitleColor: colour.inkSoft,
        requireLabelColor: colour.danger,
        arrow: { color: colour.inkSoft },
      },
      typography: typographyOf(colour),
      sidebar: { width: "0px", backgroundColor: colour.surface, textColor: colour.ink },
      rightPanel: { backgroundColor: SAMPLES.raised, textColor: SAMPLES.ink, width: "100%" },
      codeBlock: { backgroundColor: SAMPLES.surface },
    },
  };
}

function typographyOf(colour: (typeof COLOURS)[ColourScheme]) {
  return {
    fontSize: "16px",
    lineHeight: "1.6",
    fontFamily: SANS,
    headings: { fontFamily: SANS, fontWeight: "650", lineHeight: "1.25" },
    code: {
      fontSize: "14px",
      fontFamily: MONO,
      color: colour.ink,
      backgroundColor: colour.raised,
      wrap: true,
    },
    links: { color: colour.accent, visited: colour.accent, hover: colour.accent },
  };
}
