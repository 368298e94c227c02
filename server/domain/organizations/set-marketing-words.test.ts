import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf } from "@/server/domain/messages/testing";
import { DEFAULT_OPT_IN_WORDS, DEFAULT_OPT_OUT_WORDS } from "./default-words";
import { comparableWord, decisionOfWord, WORD_LENGTH_MAX, WORDS_MAX } from "./marketing-words";
import { readOrganization } from "./read";
import { setMarketingWords, setMarketingWordsSchema } from "./set-marketing-words";
import { asMember, createTestOrganization, openTestWorld, type TestWorld } from "./testing";

let world: TestWorld;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

const DEFAULTS = { optOutWords: DEFAULT_OPT_OUT_WORDS, optInWords: DEFAULT_OPT_IN_WORDS };

async function auditOf(organizationId: string) {
  const rows = await world.database.sql`
    select actor_kind, detail from audit_log
    where subject_id = ${organizationId} and action = 'organization.marketing_words_set' order by created_at`;
  return [...rows];
}

test("the default words are valid words, each once and in one list", () => {
  const { data } = setMarketingWordsSchema.safeParse({
    optOutWords: [...DEFAULTS.optOutWords],
    optInWords: [...DEFAULTS.optInWords],
  });
  expect(data).toEqual(DEFAULTS);
  const all = [...DEFAULTS.optOutWords, ...DEFAULTS.optInWords].map(comparableWord);
  expect(new Set(all).size).toBe(all.length);
});

test.each([
  ["İPTAL", "iptal"],
  ["I\u0307ptal", "IPTAL"],
  ["KAYIT", "kayıt"],
  ["ΤΈΛΟΣ", "τέλος"],
  ["إلغاء", "\u0627\u0655لغاء"],
])("%s and %s are the same word", (one, other) => {
  expect(comparableWord(one)).toBe(comparableWord(other));
});

const OPT_OUTS =
  "annulla disiscrivi desuscribir İptal I\u0307PTAL iptal ıptal dur Στοπ dừng berhenti 停止 退订 退訂 配信停止 수신거부 " +
  "إيقاف ايقاف توقف עצור הסר หยุด रोकें";
const OPT_INS = "iscrivi suscribir Σταρτ başlat اشتراك התחל สมัคร berlangganan 订阅 訂閱 配信再開 수신동의";

test.each([
  ...[...OPT_OUTS.split(" "), "수신 거부"].map((word) => [word, false] as const),
  ...[...OPT_INS.split(" "), "abone ol", "đăng ký", "शुरू करें"].map((word) => [word, true] as const),
])("by default, %s is a decision: %j", async (word, isWanted) => {
  const { actor } = await createTestOrganization(world.services);
  expect(await decisionOfWord(world.services.sql, actor.organizationId, word)).toBe(isWanted);
});

test("words are set, and who set them is written down; setting the same again writes nothing", async () => {
  const ctx = await createTestOrganization(world.services);
  const { organizationId } = ctx.actor;
  expect((await readOrganization({ ctx })).marketingWords).toEqual(DEFAULTS);
  const owner = await asMember(ctx, "owner");
  await setMarketingWords({
    ctx: owner,
    input: { optOutWords: [...DEFAULTS.optOutWords], optInWords: [...DEFAULTS.optInWords] },
  });
  expect(await auditOf(organizationId)).toEqual([]);
  const input = { optOutWords: [" Halt ", "HALT", "ﬁn"], optInWords: ["Weiter"] };
  const words = { optOutWords: ["Halt", "fin"], optInWords: ["Weiter"] };
  expect(await setMarketingWords({ ctx: owner, input })).toEqual(words);
  expect((await readOrganization({ ctx })).marketingWords).toEqual(words);
  await setMarketingWords({ ctx: owner, input: { ...words, optInWords: [] } });
  const changes = {
    optOutWords: { from: DEFAULTS.optOutWords, to: words.optOutWords },
    optInWords: { from: DEFAULTS.optInWords, to: words.optInWords },
  };
  expect(await auditOf(organizationId)).toEqual([
    { actor_kind: "member", detail: changes },
    { actor_kind: "member", detail: { optInWords: { from: words.optInWords, to: [] } } },
  ]);
  await setMarketingWords({ ctx: owner, input: words });
  const { sql } = world.services;
  expect(await decisionOfWord(sql, organizationId, "HALT")).toBe(false);
  expect(await decisionOfWord(sql, organizationId, "weiter")).toBe(true);
  expect(await decisionOfWord(sql, organizationId, "STOP")).toBeNull();
  const other = await createTestOrganization(world.services);
  expect(await decisionOfWord(sql, other.actor.organizationId, "halt")).toBeNull();
});

test.each([
  ["a word in both lists, however it is written", { optOutWords: ["Ende"], optInWords: ["ENDE "] }],
  ["an empty word", { optOutWords: [" "], optInWords: [] }],
  ["a word that can't be seen", { optOutWords: ["\u200b"], optInWords: [] }],
  ["a word with a line break", { optOutWords: ["a\nb"], optInWords: [] }],
  ["a long word", { optOutWords: ["x".repeat(WORD_LENGTH_MAX + 1)], optInWords: [] }],
  [
    "too many words",
    { optOutWords: Array.from({ length: WORDS_MAX + 1 }, (_, n) => `w${n}`), optInWords: [] },
  ],
])("%s is refused", async (_, input) => {
  const ctx = await createTestOrganization(world.services);
  expect(await codeOf(setMarketingWords({ ctx, input }))).toBe("validation_failed");
  expect((await readOrganization({ ctx })).marketingWords).toEqual(DEFAULTS);
});

test("as many and as long words as allowed can be set, and both lists can be empty", async () => {
  const ctx = await createTestOrganization(world.services);
  const wordOf = (n: number) => String(n).padStart(3, "0") + "😀".repeat(WORD_LENGTH_MAX - 3);
  const most = { optOutWords: Array.from({ length: WORDS_MAX }, (_, n) => wordOf(n)), optInWords: [] };
  expect(await setMarketingWords({ ctx, input: most })).toEqual(most);
  const none = { optOutWords: [], optInWords: [] };
  expect(await setMarketingWords({ ctx, input: none })).toEqual(none);
  expect(await decisionOfWord(world.services.sql, ctx.actor.organizationId, "STOP")).toBeNull();
});

test("an agent can't set them", async () => {
  const ctx = await createTestOrganization(world.services);
  const agent = await asMember(ctx, "agent");
  expect(await codeOf(setMarketingWords({ ctx: agent, input: { optOutWords: [], optInWords: [] } }))).toBe(
    "permission_denied",
  );
});
