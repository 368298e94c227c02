/** Settings that the test passes to a program as JSON. */
export const settings = JSON.parse(process.env.SETTINGS ?? "{}");

/** A file as WhatsApp takes it. */
export const file = {
  type: "application/pdf",
  bytes: new Blob(["%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"]),
} as const;

export function check(condition: boolean, step: string): void {
  if (!condition) throw new Error(`The step failed: ${step}`);
  console.log(step);
}
