import type { Bench, Case } from "./case";
import { type LivePage, openLivePages, recordLivePage } from "./live-page";
import { type LoadResult, newMessage, summaryOf, wrongOf } from "./load";
import { type BenchWaypost, newMessagesLoad, sendOnce } from "./waypost";

const PAGES = 10;
/** Each pair is measured without pages, and with them. */
const PAIRS = 5;
const CONNECTIONS = 32;
const SLOWER_PERCENT_MAX = 20;

/** The cost of new messages while people look at self-refreshing pages, compared with nobody looking. */
export const LIVE_PAGES = {
  title: `POST /messages, new, with ${PAGES} live pages`,
  isPaced: true,
  isOnce: true,
  isExtra: true,
  async open(bench) {
    const waypost = await bench.waypost();
    const messageId = await sendOnce(waypost, newMessage(waypost.handles[0] ?? ""));
    const livePage = await recordLivePage(waypost, messageId);
    return {
      measure: (seconds) => measureWithAndWithout(bench, waypost, livePage, seconds),
      settle: waypost.settle,
    };
  },
} as const satisfies Case;

async function measureWithAndWithout(
  bench: Bench,
  waypost: BenchWaypost,
  livePage: LivePage,
  seconds: number,
): Promise<LoadResult> {
  const load = async () => {
    const result = await bench.load.run({ ...newMessagesLoad(waypost, CONNECTIONS), seconds });
    await waypost.settle();
    return result;
  };
  const without: LoadResult[] = [];
  const withPages: LoadResult[] = [];
  const pageAnswers = { right: 0, wrong: 0 };
  await load();
  for (let pair = 0; pair < PAIRS; pair += 1) {
    without.push(await load());
    const pages = openLivePages(livePage, PAGES);
    withPages.push(await load());
    const { right, wrong } = await pages.close();
    pageAnswers.right += right;
    pageAnswers.wrong += Object.values(wrong).reduce((sum, count) => sum + count, 0);
  }
  const [alone, beside] = [summaryOf(without), summaryOf(withPages)];
  return {
    ...beside,
    wrong: wrongOf([...without, ...withPages]),
    facts: [
      { name: "p50 without pages, ms", value: alone.p50Ms },
      { name: `p50 with ${PAGES} pages, ms`, value: beside.p50Ms },
      { name: "slower by, %", value: 100 * (beside.p50Ms / alone.p50Ms - 1), atMost: SLOWER_PERCENT_MAX },
      { name: "requests a page makes in 10 s", value: livePage.requests.length },
      { name: "answers to the pages", value: pageAnswers.right },
      { name: "other than 200", value: pageAnswers.wrong, atMost: 0 },
    ],
  };
}
