/** The minimum that a Next.js route can do: the baseline for all other cases. */
export function POST() {
  return Response.json({ ok: true });
}
