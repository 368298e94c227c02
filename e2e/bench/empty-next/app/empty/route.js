/** The least that a Next.js route can do: what everything else in the bench is compared with. */
export function POST() {
  return Response.json({ ok: true });
}
